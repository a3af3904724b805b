const colors: Record<string, string> = {
  "31": "#ff7b72",
  "32": "#7ee787",
  "33": "#e3b341",
  "34": "#79c0ff",
  "35": "#d2a8ff",
  "36": "#76e3ea",
};

interface Style {
  bold: boolean;
  dim: boolean;
  color: string | undefined;
}

/** One line of terminal output as the content of an SVG text. A longer line is cut. */
export function renderLine(line: string, columns: number): string {
  const style: Style = { bold: false, dim: false, color: undefined };
  const spans: string[] = [];
  let left = columns;
  // oxlint-disable-next-line no-control-regex
  for (const piece of line.split(/(\x1b\[[\d;]*m)/)) {
    // oxlint-disable-next-line no-control-regex
    const codes = /^\x1b\[([\d;]*)m$/.exec(piece)?.[1];
    if (codes !== undefined) {
      for (const code of codes.split(";")) applyCode(style, code);
      continue;
    }
    const shown = [...piece].slice(0, left).join("");
    left -= shown.length;
    if (shown !== "") spans.push(`<tspan${attributes(style)}>${escapeXml(shown)}</tspan>`);
  }
  return spans.join("");
}

function applyCode(style: Style, code: string): void {
  if (code === "0" || code === "") Object.assign(style, { bold: false, dim: false, color: undefined });
  else if (code === "1") style.bold = true;
  else if (code === "2") style.dim = true;
  else if (code === "22") Object.assign(style, { bold: false, dim: false });
  else if (code === "39") style.color = undefined;
  else if (code in colors) style.color = colors[code];
}

const attributes = ({ bold, dim, color }: Style): string =>
  `${bold ? ' font-weight="bold"' : ""}${dim ? ' opacity="0.6"' : ""}${color ? ` fill="${color}"` : ""}`;

export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
