// oxlint-disable typescript/triple-slash-reference -- the package's declarations use another module name
/// <reference path="../../../node_modules/@vscode/tree-sitter-wasm/wasm/web-tree-sitter.d.ts" />
declare module "@vscode/tree-sitter-wasm/wasm/tree-sitter.js" {
  export { Language, Parser } from "web-tree-sitter";
}
