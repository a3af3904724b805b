import type { WordExpression } from "../../core/search/query.ts";

/** The words as an FTS5 expression. Every word is quoted, so no text of a user is ever syntax. */
export function matchExpression(expression: WordExpression): string {
  if ("word" in expression) return `"${expression.word.replaceAll('"', '""')}"${expression.isPrefix ? " *" : ""}`;
  const [list, operator] = "all" in expression ? [expression.all, " AND "] : [expression.any, " OR "];
  return `(${list.map(matchExpression).join(operator)})`;
}
