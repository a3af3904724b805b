import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** 16 MB for lines, 64 kB in front of them, a look ahead, and the tables of ids; what is never touched costs nothing. */
const pages = "941";

/** The program of assembly/ as WebAssembly. The same source gives the same bytes. */
export function compileScanner(root: string): Uint8Array {
  const directory = mkdtempSync(join(tmpdir(), "ai-runtime-scanner-"));
  try {
    const wasm = join(directory, "scanner.wasm");
    // As a process of its own: its types would change those of every script.
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
