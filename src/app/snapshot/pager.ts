import { pageText } from "../../io/terminal/page-text.ts";
import type { Variables } from "../../core/variables.ts";

/** Returns false when nothing was shown: the user wants no pager, or none is available. */
export async function showInPager(chunks: Iterable<string>, variables: Variables): Promise<boolean> {
  const command = variables["PAGER"] ?? "less -R";
  // An empty PAGER, or cat, is the usual way to disable the pager.
  if (command.trim() === "" || command.trim() === "cat" || variables["TERM"] === "dumb") return false;
  return (await pageText(command, chunks, variables)) === "shown";
}
