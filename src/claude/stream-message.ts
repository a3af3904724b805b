/** A prompt as `--input-format stream-json` takes it on stdin. */
export function streamMessage(text: string): string {
  return `${JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "text", text }] } })}\n`;
}
