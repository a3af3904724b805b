import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDetached } from "../../../src/io/process/start-detached.ts";
import { untilFile } from "../../support/until-file.ts";

test.skipIf(process.platform === "win32")(
  "starts a program in its own session, without streams and without Bun's variables",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "detached-"));
    try {
      const script = 'set -e; pwd; env; ps -o sid= -p $$; echo "pid $$"; [ -t 0 ] || echo "no terminal"; cat; echo end';
      const variables = { PATH: "/usr/bin:/bin", KEPT: "yes", BUN_OPTIONS: "--preload=evil.ts", BUN_BE_BUN: "1" };
      startDetached(["sh", "-c", `(${script}) > report`], variables, directory);
      const report = await untilFile(join(directory, "report"), (text) => text.endsWith("end\n"));
      const lines = report.split("\n").map((line) => line.trim());
      expect(lines).toContain("KEPT=yes");
      expect(lines).toContain("no terminal");
      expect(report).not.toContain("BUN_");
      const pid = /^pid (\d+)$/m.exec(report)?.[1] ?? "";
      expect(lines).toContain(pid);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
);
