import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJournal } from "../../../../src/store/runs/journal.ts";
import { executable } from "../../../support/executable.ts";

/** A home and a temporary directory that the demo must leave as they are. */
class DemoPlace implements Disposable {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "demo-")));
  readonly home = join(this.root, "home");
  readonly temporary = join(this.root, "tmp");

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.temporary);
  }

  start(...options: string[]): Bun.Subprocess<"ignore", "pipe", "pipe"> {
    const env = { HOME: this.home, TMPDIR: this.temporary, PATH: "/usr/bin:/bin", TZ: "UTC" };
    return Bun.spawn([executable, "demo", ...options], {
      env,
      cwd: this.home,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

test.skipIf(process.platform === "win32")("the demo runs the real programs, and leaves nothing behind", async () => {
  using place = new DemoPlace();
  const demo = place.start("--fast");
  const [stdout, stderr, exitCode] = await Promise.all([demo.stdout.text(), demo.stderr.text(), demo.exited]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  for (const said of [
    "usage limit reached; waiting until",
    "the usage limit has reset",
    "claude ended unexpectedly (SIGKILL)",
    "✔ done",
    "the conversation outgrew its context; restored it to ",
    "2 files written, 0 removed, verified",
  ]) {
    expect(stderr).toContain(said);
  }
  for (const said of [
    "All tests pass.",
    "│ [AI-RUNTIME CONTEXT RESTORED]",
    "│ - notes/vouchers.md",
    "REVIEW.md is written",
    "removed  src/cart.ts",
    "generation 2",
    "the replaced transcript",
  ]) {
    expect(stdout).toContain(said);
  }
  for (const line of stdout.split("\n").filter((each) => !each.includes(".jsonl"))) {
    expect(Bun.stringWidth(line)).toBeLessThanOrEqual(110);
  }
  expect(readdirSync(place.temporary)).toEqual([]);
  expect(readdirSync(place.home)).toEqual([]);
});

test.skipIf(process.platform === "win32")("--keep keeps the files that it mentions", async () => {
  using place = new DemoPlace();
  const demo = place.start("--fast", "--keep");
  expect(await demo.exited).toBe(0);
  const directory = join(place.temporary, readdirSync(place.temporary)[0] ?? "");
  const sessions = join(directory, "shop/.ai-runtime/sessions");
  const { entries } = readJournal(join(sessions, readdirSync(sessions)[0] ?? "", "journal.jsonl"));
  expect(entries.map(({ n }) => n)).toEqual(entries.map((_, index) => index + 1));
  const journal = JSON.stringify(entries);
  for (const word of ["limit", "crash", "SIGKILL"]) expect(journal).toContain(word);
  expect(readFileSync(join(directory, "shop/src/cart.ts"), "utf8")).toContain("round(");
  expect(existsSync(join(directory, "home/.config/session-snapshot/snapshots/latest.json"))).toBe(true);
});

test.skipIf(process.platform === "win32")("leaves nothing behind when it is interrupted", async () => {
  using place = new DemoPlace();
  const demo = place.start();
  let seen = "";
  for await (const chunk of demo.stderr) {
    seen += new TextDecoder().decode(chunk);
    if (seen.includes("waiting until")) demo.kill("SIGINT");
  }
  expect(seen).toContain("the demo was stopped; its files were removed");
  expect(await demo.exited).toBe(130);
  expect(readdirSync(place.temporary)).toEqual([]);
});
