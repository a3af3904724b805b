/** A prompt in the form that `--input-format stream-json` reads from stdin. */
export function streamMessage(text: string): string {
  return `${JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "text", text }] } })}\n`;
}
