import { pageText } from "../io/page-text.ts";

/** False when nothing was shown, because no pager is wanted or to be had. */
export async function showInPager(
  chunks: Iterable<string>,
  variables: Record<string, string | undefined>,
): Promise<boolean> {
  const command = variables["PAGER"] ?? "less -R";
  // Set but empty, or cat, is the usual way to say: none.
  if (command.trim() === "" || command.trim() === "cat" || variables["TERM"] === "dumb") return false;
  return (await pageText(command, chunks, variables)) === "shown";
}
