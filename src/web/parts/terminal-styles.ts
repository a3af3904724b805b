/**
 * The terminal writes style elements and style attributes, which the page's content policy refuses, as it should for strangers'
 * text. Both go through the style objects of the browser instead, which the policy allows because only scripts can use them.
 */
export function letTerminalStyle(): void {
  if (isDone) return;
  isDone = true;
  const create = document.createElement.bind(document) as (
    name: string,
    options?: ElementCreationOptions,
  ) => HTMLElement;
  document.createElement = ((name: string, options?: ElementCreationOptions) =>
    name === "style" ? styleStandIn(create("template")) : create(name, options)) as typeof document.createElement;
  const setAttribute = Element.prototype.setAttribute;
  HTMLSpanElement.prototype.setAttribute = function (this: HTMLSpanElement, name, value) {
    if (name === "style") this.style.cssText = value;
    else setAttribute.call(this, name, value);
  };
}

let isDone = false;

/** An element without effect whose text becomes a style sheet of the document. */
function styleStandIn(element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(element, "textContent", {
    get: () => "",
    set: (text: string) => {
      sheet.replaceSync(text);
    },
  });
  Object.defineProperty(element, "remove", {
    value: () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    },
  });
  return element;
}
