// A real `systemd --user` of the sandbox's own: in a mount namespace with an empty /run, and in a cgroup of its own.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "./sandbox.ts";

const manager = "/lib/systemd/systemd";
const patience = 60_000;

/**
 * Why no systemd can be had here; undefined when one can. It takes root and the right to make namespaces and cgroups, which no
 * package brings along: so, unlike with other tools, a CI without it skips these tests too.
 */
export async function systemdMissing(): Promise<string | undefined> {
  if (process.platform !== "linux") return "systemd is Linux's";
  if (process.getuid?.() !== 0) return "only root can have a systemd of its own";
  if (!existsSync(manager) || Bun.which("systemctl") === null) return "systemd is not installed";
  if (Bun.which("unshare") === null || !succeeds(["unshare", "-m", "--propagation", "private", "true"])) {
    return "no mount namespace can be made";
  }
  await using sandbox = await createSandbox({ claude: "none" });
  try {
    await using systemd = await UserSystemd.start(sandbox, 20_000);
    return systemd.systemctl("show", "--property=Version").startsWith("Version=")
      ? undefined
      : "systemd does not answer";
  } catch (error) {
    return `no systemd can be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const succeeds = (command: string[]): boolean =>
  Bun.spawnSync(command, { stdio: ["ignore", "ignore", "ignore"] }).exitCode === 0;

/** Of the hierarchies that systemd keeps its processes in: one, or two where the old and the new are both mounted. */
function hierarchies(): string[] {
  const both = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified"].filter((path) => existsSync(path));
  return both.length > 0 ? both : ["/sys/fs/cgroup"];
}

function makeGroups(name: string): void {
  for (const hierarchy of hierarchies()) mkdirSync(join(hierarchy, name));
}

function removeGroups(name: string): void {
  for (const hierarchy of hierarchies()) removeGroup(join(hierarchy, name));
}

function removeGroup(path: string): void {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroup(join(path, entry.name));
  }
  rmdirSync(path);
}

/** Stops a process as a whole, without a signal: it lives and does nothing, until it is killed. */
export function freeze(pid: number): void {
  const own = /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "";
  const group = join(hierarchies().at(-1) ?? "", own, "frozen");
  mkdirSync(group);
  writeFileSync(join(group, "cgroup.procs"), String(pid));
  writeFileSync(join(group, "cgroup.freeze"), "1");
}

export interface UnitFacts {
  readonly LoadState: string;
  readonly ActiveState: string;
  readonly SubState: string;
  readonly MainPID: string;
  readonly NRestarts: string;
  readonly Result: string;
  readonly StatusText: string;
}

export class UserSystemd implements AsyncDisposable {
  readonly #sandbox: Sandbox;
  readonly #name: string;
  readonly #child: Bun.Subprocess;

  private constructor(sandbox: Sandbox, name: string, child: Bun.Subprocess) {
    this.#sandbox = sandbox;
    this.#name = name;
    this.#child = child;
  }

  static async start(sandbox: Sandbox, milliseconds = patience): Promise<UserSystemd> {
    const name = `ai-runtime-${sandbox.root.split("/").at(-1)}`;
    makeGroups(name);
    const script = join(sandbox.root, "systemd.sh");
    const enter = hierarchies().map((path) => `echo $$ >'${path}/${name}/cgroup.procs'`);
    const lines = [
      "mount -t tmpfs tmpfs /run",
      "mkdir -p /run/systemd/system",
      ...enter,
      `exec ${manager} --user --log-target=console`,
    ];
    writeFileSync(script, lines.join("\n"));
    const log = Bun.file(join(sandbox.root, "systemd.log"));
    const child = Bun.spawn(["unshare", "-m", "--propagation", "private", "sh", "-e", script], {
      env: { ...sandbox.env },
      cwd: "/",
      detached: true,
      stdio: ["ignore", log, log],
    });
    const systemd = new UserSystemd(sandbox, name, child);
    try {
      await until(() => existsSync(join(sandbox.root, "run/systemd/private")), "systemd --user", milliseconds);
      return systemd;
    } catch (error) {
      await systemd[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The facts about a unit, as soon as they are as wanted. */
  async until(unit: string, wanted: (facts: UnitFacts) => boolean): Promise<UnitFacts> {
    await until(
      () => wanted(this.facts(unit)),
      () => `${unit}: ${JSON.stringify(this.facts(unit))}`,
    );
    return this.facts(unit);
  }

  facts(unit: string): UnitFacts {
    const names = "LoadState,ActiveState,SubState,MainPID,NRestarts,Result,StatusText";
    const lines = this.systemctl("show", unit, `--property=${names}`).trim().split("\n");
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    ) as unknown as UnitFacts;
  }

  systemctl(...words: string[]): string {
    const { stdout } = Bun.spawnSync(["systemctl", "--user", ...words], {
      env: { ...this.#sandbox.env },
      stdin: "ignore",
    });
    return stdout.toString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.systemctl("exit");
    const force = setTimeout(() => this.#child.kill("SIGKILL"), 15_000);
    await this.#child.exited;
    clearTimeout(force);
    const hasGone = (): boolean => {
      try {
        removeGroups(this.#name);
        return true;
      } catch {
        return false;
      }
    };
    await until(hasGone, "the end of everything in the cgroup");
  }
}

async function until(isSo: () => boolean, what: string | (() => string), milliseconds = patience): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`never came: ${typeof what === "string" ? what : what()}`);
    await Bun.sleep(50);
  }
}
