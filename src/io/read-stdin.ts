export type StdinRead = { kind: "text"; text: string } | { kind: "too-long" } | { kind: "timeout" };

/** All of stdin, but not for ever and not without bound: whoever feeds us may hang or never stop. */
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
