// oxlint-disable typescript/triple-slash-reference -- the declarations name another module than the file they describe
/// <reference path="../../node_modules/@vscode/tree-sitter-wasm/wasm/web-tree-sitter.d.ts" />
declare module "@vscode/tree-sitter-wasm/wasm/tree-sitter.js" {
  export { Language, Parser } from "web-tree-sitter";
}
