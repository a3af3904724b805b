import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sweepTemporaries } from "../../src/io/durable/durable.ts";
import { type Operation, operations } from "./programs/durable-operations.ts";
import { type Fault, straceProblem, trace } from "./strace.ts";

// System calls that change files, and calls that only query them.
const EFFECTS =
  "openat pwrite64 ftruncate fsync fdatasync rename renameat renameat2 link linkat unlink unlinkat mkdir mkdirat".split(
    " ",
  );
const QUERIES = ["statx", "pread64", "fchmod", "close"];
/** Bun's closeSync ignores errors; the preceding fsync has already reported them. */
const UNREPORTED = new Set(["close"]);
/** Failures that do not affect the caller: the leftover file is swept later. */
const HARMLESS = new Set(["unlink temporary"]);

let programs: string;
let program: string;
let directory: string;

beforeAll(() => {
  programs = mkdtempSync(join(realpathSync(tmpdir()), "air-"));
  program = join(programs, "durable-operation");
  // Compiled, because the program is started hundreds of times and a compiled one starts much faster.
  const source = join(import.meta.dir, "programs/durable-operation.ts");
  const build = Bun.spawnSync([
    "bun",
    "build",
    "--compile",
    "--bytecode",
    "--format=esm",
    source,
    "--outfile",
    program,
  ]);
  expect(build.exitCode, build.stderr.toString()).toBe(0);
});

afterAll(() => rmSync(programs, { recursive: true, force: true }));

beforeEach(() => {
  directory = mkdtempSync(join(realpathSync(tmpdir()), "air-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("strace is available in CI", () => {
  if (process.env["CI"]) expect(straceProblem).toBeUndefined();
});

const reason = straceProblem === undefined ? "" : ` (skipped: ${straceProblem})`;

describe.skipIf(straceProblem !== undefined)(`every call of every operation${reason}`, () => {
  for (const [name, operation] of Object.entries(operations)) {
    test(`${name}: syncs the file before the rename and the directory after it`, async () => {
      const { calls } = await run(name, operation, EFFECTS);
      expect(calls).toEqual([...operation.calls]);
    });

    test(`${name}: reports a failed call, leaves the old or the new content, and succeeds at the next attempt`, async () => {
      for await (const { step, fault } of faultsOf(name, operation)) {
        if (UNREPORTED.has(fault.call)) continue;
        for (const code of fault.call === "pwrite64" ? ["EIO", "ENOSPC"] : ["EIO"]) {
          const { stdout } = await run(name, operation, [fault.call], { ...fault, effect: `error=${code}` });
          const context = `${name}: ${code} at ${step} (${fault.call} ${fault.nth})`;
          const state = operation.state(directory);
          if (HARMLESS.has(step)) expect(`${stdout} ${state}`, context).toBe("done new");
          else {
            expect(stdout, context).toBe(`failed ${code}`);
            expect(temporaries(), context).toEqual([]);
          }
          recover(name, operation, context);
        }
      }
    });

    test(`${name}: leaves the old or the new content when killed, and succeeds at the next attempt`, async () => {
      for await (const { step, fault } of faultsOf(name, operation)) {
        const { killed } = await run(name, operation, [fault.call], { ...fault, effect: "signal=SIGKILL" });
        const context = `${name}: killed at ${step} (${fault.call} ${fault.nth})`;
        expect(killed, context).toBeTrue();
        operation.state(directory);
        recover(name, operation, context);
      }
    });

    const writes = operation.calls.filter((call) => call.startsWith("write")).length;
    if (writes === 0) continue;
    test(`${name}: detects a short write`, async () => {
      for (let nth = 1; nth <= writes; nth++) {
        const { stdout } = await run(name, operation, ["pwrite64"], { call: "pwrite64", nth, effect: "retval=7" });
        expect(stdout).toBe("failed short-write");
        expect(operation.state(directory)).toBe("old");
        expect(temporaries()).toEqual([]);
        recover(name, operation, `short write ${nth}`);
      }
    });
  }
});

describe.skipIf(process.platform === "win32")("a disk without space", () => {
  const growing = ["replace", "create", "copy", "append", "append to a new file"] as const;

  test.each(growing)("%s: leaves the old content at a file size limit", (name) => {
    const operation = operations[name] as Operation;
    startOver(operation);
    const limited = Bun.spawnSync(["sh", "-c", 'ulimit -f 64; exec "$@"', "sh", program, name, directory]);
    expect(limited.stdout.toString()).toBe("failed EFBIG");
    expect(operation.state(directory)).toBe("old");
    expect(temporaries()).toEqual([]);
    recover(name, operation, "limited");
  });

  const mountable = canMount();
  const why = mountable ? "" : " (skipped: no permission to mount)";
  test.skipIf(!mountable).each(growing)(`%s: leaves the old content when the disk is full${why}`, (name) => {
    const operation = operations[name] as Operation;
    mount("size=500k");
    try {
      startOver(operation);
      // The source of a copy fits on the disk, but its copy does not; the other operations start with little free space.
      fillUp(name === "copy" || name === "append" ? 0 : 300_000);
      const full = perform(name);
      expect(full).toBe("failed ENOSPC");
      expect(operation.state(directory)).toBe("old");
      expect(temporaries()).toEqual([]);
      mount("remount,size=4m");
      recover(name, operation, "after a full disk");
    } finally {
      Bun.spawnSync(["umount", directory]);
    }
  });
});

/** One fault for each call of a clean run. */
async function* faultsOf(
  name: string,
  operation: Operation,
): AsyncGenerator<{ step: string; fault: Omit<Fault, "effect"> }> {
  const clean = await run(name, operation, [...EFFECTS, ...QUERIES]);
  expect(clean.stdout).toBe("done");
  const seen = new Map<string, number>();
  for (const [index, step] of clean.calls.entries()) {
    const call = clean.raw[index]?.split("(", 1)[0] ?? "";
    const nth = (seen.get(call) ?? 0) + 1;
    seen.set(call, nth);
    yield { step, fault: { call, nth } };
  }
  expect(seen.size).toBeGreaterThan(2);
}

async function run(
  name: string,
  operation: Operation,
  calls: readonly string[],
  fault?: Fault,
): Promise<{ stdout: string; killed: boolean; calls: string[]; raw: readonly string[] }> {
  startOver(operation);
  const [first] = operation.files;
  const temporary = join(directory, dirname(first), `.${first}.tmp-$$-0`);
  const files = operation.files.map((file) => join(directory, file));
  const paths = new Set([directory, ...files, ...files.map((file) => dirname(file)), temporary]);
  const traced = await trace([program, name, directory], { paths: [...paths], calls, ...(fault ? { fault } : {}) });
  return { ...traced, raw: traced.calls, calls: traced.calls.map(describeCall) };
}

// `rename("/d/.target.tmp-7-0", "/d/target") = 0` → "rename temporary target"
function describeCall(call: string): string {
  const verb = call
    .split("(", 1)[0]
    ?.replace(/at2?$/, "")
    .replace(/^pwrite64$/, "write");
  const named = [...call.matchAll(/[<"](\/[^">]*)[">]/g)].map(([, path = ""]) => path);
  const ours = named.filter((path) => path === directory || path.startsWith(`${directory}/`));
  // strace repeats the path in the result of a successful open.
  const objects = verb === "open" ? ours.slice(0, 1) : ours;
  const words = objects.map((path) => path.slice(directory.length + 1) || ".");
  return [verb, ...words.map((word) => (/\.tmp-\d+-0$/.test(word) ? "temporary" : word))].join(" ");
}

function startOver(operation: Operation): void {
  for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
  operation.prepare(directory);
}

const perform = (name: string): string => Bun.spawnSync([program, name, directory]).stdout.toString();

function recover(name: string, operation: Operation, context: string): void {
  const already = operation.state(directory) === "new";
  const outcome = perform(name);
  // Operations that refuse to overwrite find their own complete result.
  const refused = already && outcome === "failed EEXIST";
  expect(refused ? "done" : outcome, context).toBe("done");
  expect(operation.state(directory), context).toBe("new");
  sweepTemporaries(directory, 0, Number.POSITIVE_INFINITY);
  expect(temporaries(), context).toEqual([]);
}

const temporaries = (): string[] => readdirSync(directory).filter((name) => name.includes(".tmp-"));

function fillUp(bytes: number): void {
  if (bytes > 0) Bun.spawnSync(["dd", "if=/dev/zero", `of=${join(directory, "ballast")}`, `bs=${bytes}`, "count=1"]);
}

function mount(options: string): void {
  const { exitCode, stderr } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", options, "tmpfs", directory]);
  expect(exitCode, stderr.toString()).toBe(0);
}

function canMount(): boolean {
  if (process.platform !== "linux" || Bun.which("mount") === null) return false;
  const probe = mkdtempSync(join(realpathSync(tmpdir()), "air-"));
  try {
    const { exitCode } = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", probe]);
    return exitCode === 0 && Bun.spawnSync(["umount", probe]).exitCode === 0;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
