// The tests run without PowerShell, so they check at least the syntax, with the parser that editors use.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Language, Parser } from "@vscode/tree-sitter-wasm/wasm/tree-sitter.js";

const directory = join(import.meta.dir, "../../../node_modules/@vscode/tree-sitter-wasm/wasm");

/** The syntax errors of a script, as `line: text`. */
export async function powershellErrors(script: string): Promise<string[]> {
  await Parser.init({ locateFile: (name: string) => join(directory, name) });
  const parser = new Parser();
  parser.setLanguage(await Language.load(new Uint8Array(readFileSync(join(directory, "tree-sitter-powershell.wasm")))));
  const tree = parser.parse(script);
  if (!tree) return ["the script cannot be parsed"];
  const errors: string[] = [];
  const cursor = tree.walk();
  const visit = (): void => {
    const node = cursor.currentNode;
    if (node.isError || node.isMissing) errors.push(`${node.startPosition.row + 1}: ${node.text.slice(0, 60)}`);
    if (!cursor.gotoFirstChild()) return;
    do visit();
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
  };
  visit();
  return errors;
}
