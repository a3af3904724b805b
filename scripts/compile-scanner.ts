import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** 16 MB for lines, 64 kB before them, lookahead, and the id tables; untouched pages use no memory. */
const pages = "941";

/** Compiles assembly/ to WebAssembly. The same source gives the same bytes. */
export function compileScanner(root: string): Uint8Array {
  const directory = mkdtempSync(join(tmpdir(), "ai-runtime-scanner-"));
  try {
    const wasm = join(directory, "scanner.wasm");
    // In a separate process, because the compiler's global types would affect every script.
    const compiler = [process.execPath, join(root, "node_modules/assemblyscript/bin/asc.js")];
    const options =
      `--outFile ${wasm} --optimizeLevel 3 --shrinkLevel 0 --converge --noAssert ` +
      `--enable simd --runtime stub --initialMemory ${pages} --maximumMemory ${pages}`;
    const run = Bun.spawnSync([...compiler, "assembly/scan-lines.ts", ...options.split(" ")], {
      cwd: root,
      stderr: "pipe",
    });
    if (run.exitCode !== 0) throw new Error(`cannot compile assembly/:\n${run.stderr}`);
    return readFileSync(wasm);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
