// `bun run fidelity [version …]`: plays the recovery board with these versions of Claude Code, default the pinned ones, prints the matrix
// and updates docs/CLIENTS.md. "newest" stands for the newest version on npm.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../src/core/message-of.ts";
import { fetchClaude, newestOnNpm } from "./fidelity/fetch-claude.ts";
import { hasFailed, mergeRows, printMatrix, readPage, readRow, renderPage, type Row } from "./fidelity/matrix.ts";
import { sourceVersion } from "./source-version.ts";

const root = join(import.meta.dir, "..");
const page = join(root, "docs/CLIENTS.md");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly devDependencies: Readonly<Record<string, string>>;
};

const pinned = Object.keys(manifest.devDependencies).flatMap((name) => /^claude-(\d.*)$/.exec(name)?.[1] ?? []);

/** Without npm or the network there is nothing to play. */
function orExit<Result>(ask: () => Result): Result {
  try {
    return ask();
  } catch (error) {
    console.error(`fidelity: ${messageOf(error)}`);
    process.exit(1);
  }
}

function versionsToPlay(words: readonly string[]): string[] {
  const wrong = words.find((word) => word !== "newest" && !/^\d+\.\d+\.\d+$/.test(word));
  if (wrong !== undefined) {
    console.error(`fidelity: "${wrong}" is not a version like 2.1.112, nor "newest"`);
    process.exit(2);
  }
  const named = words.map((word) => (word === "newest" ? orExit(newestOnNpm) : word));
  return named.length > 0 ? [...new Set(named)] : pinned;
}

async function play(version: string): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), "fidelity-"));
  const report = join(directory, "junit.xml");
  const words = ["--reporter=junit", `--reporter-outfile=${report}`, "test/fidelity/board.test.ts"];
  try {
    const child = Bun.spawn(["bun", "test", ...words], {
      cwd: root,
      env: { ...process.env, FIDELITY_VERSIONS: version },
      stdio: ["ignore", "inherit", "inherit"],
    });
    await child.exited;
    const day = new Date().toISOString().slice(0, "2026-01-01".length);
    return readRow(version, day, existsSync(report) ? readFileSync(report, "utf8") : "");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const versions = versionsToPlay(process.argv.slice(2));
for (const version of versions.filter((each) => !pinned.includes(each))) {
  console.error(`── Claude Code ${version}: fetch`);
  orExit(() => fetchClaude(version));
}
const played: Row[] = [];
for (const version of versions) {
  console.error(`\n── Claude Code ${version}: play`);
  played.push(await play(version));
}
const rows = mergeRows(existsSync(page) ? readPage(readFileSync(page, "utf8")) : [], played);
const how = { system: `${process.platform} ${arch()}`, program: `ai-runtime ${sourceVersion(root).number}` };
writeFileSync(page, renderPage(rows, how));
Bun.spawnSync(["bun", "fmt", "--no-script", page], { cwd: root });
console.log(`\n${printMatrix(mergeRows([], played)).join("\n")}`);
process.exit(played.some(hasFailed) ? 1 : 0);
