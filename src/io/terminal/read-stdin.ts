export type StdinRead = { kind: "text"; text: string } | { kind: "too-long" } | { kind: "timeout" };

/** Reads all of stdin, with limits on time and size: the writer may hang or never stop. */
export async function readStdin(limit: { bytes: number; milliseconds: number }): Promise<StdinRead> {
  const reader = Bun.stdin.stream().getReader();
  let timer: Timer | undefined;
  const timeout = new Promise<"timeout">((resolve) => {
    timer = setTimeout(() => resolve("timeout"), limit.milliseconds);
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const step = await Promise.race([reader.read(), timeout]);
      if (step === "timeout") return { kind: "timeout" };
      if (step.done) return { kind: "text", text: Buffer.concat(chunks).toString("utf8") };
      chunks.push(step.value);
      size += step.value.length;
      if (size > limit.bytes) return { kind: "too-long" };
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The first line of stdin. `ended` settles when stdin ends: its writer is gone. */
export async function readFirstLine(): Promise<{ readonly line: string; readonly ended: Promise<void> }> {
  const reader = Bun.stdin.stream().getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  const drain = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  return { line: text.split("\n", 1)[0] ?? "", ended: drain() };
}
