// A real `systemd --user` for one sandbox, in its own cgroup and in a mount namespace with an empty /run.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import { until } from "../until.ts";

const manager = "/lib/systemd/systemd";
const timeoutMs = 240_000;

/**
 * Why systemd cannot run here, or undefined if it can. It needs root and the right to create namespaces and cgroups, which no
 * package installs, so even CI skips these tests without them.
 */
export async function systemdMissing(): Promise<string | undefined> {
  if (process.platform !== "linux") return "systemd needs Linux";
  if (process.getuid?.() !== 0) return "starting systemd needs root";
  if (!existsSync(manager) || Bun.which("systemctl") === null) return "systemd is not installed";
  if (Bun.which("unshare") === null || !succeeds(["unshare", "-m", "--propagation", "private", "true"])) {
    return "cannot create a mount namespace";
  }
  await using sandbox = await createSandbox({ claude: "none" });
  try {
    await using systemd = await UserSystemd.start(sandbox, 20_000);
    return systemd.systemctl("show", "--property=Version").startsWith("Version=")
      ? undefined
      : "systemd does not answer";
  } catch (error) {
    return `cannot start systemd: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const succeeds = (command: string[]): boolean =>
  Bun.spawnSync(command, { stdio: ["ignore", "ignore", "ignore"] }).exitCode === 0;

/** The cgroup hierarchies that systemd uses: one, or two where versions 1 and 2 are both mounted. */
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

/** Freezes a process without a signal: it stays alive and does nothing until it is killed. */
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

  /** `bootId`: what the kernel tells the programs that this systemd starts, as after a reboot. */
  static async start(sandbox: Sandbox, milliseconds = timeoutMs, bootId?: string): Promise<UserSystemd> {
    const name = `ai-runtime-${sandbox.root.split("/").at(-1)}`;
    makeGroups(name);
    const script = join(sandbox.root, "systemd.sh");
    const enter = hierarchies().map((path) => `echo $$ >'${path}/${name}/cgroup.procs'`);
    const boot = join(sandbox.root, "boot_id");
    if (bootId !== undefined) writeFileSync(boot, `${bootId}\n`);
    const lines = [
      ...(bootId === undefined ? [] : [`mount --bind '${boot}' /proc/sys/kernel/random/boot_id`]),
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

  /** Waits until the unit's facts satisfy the predicate. */
  async until(unit: string, predicate: (facts: UnitFacts) => boolean): Promise<UnitFacts> {
    const look = (): UnitFacts | undefined => {
      const facts = this.facts(unit);
      return predicate(facts) ? facts : undefined;
    };
    return until(look, () => `${unit}: ${JSON.stringify(this.facts(unit))}`, timeoutMs);
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
    const areGroupsRemoved = (): boolean => {
      try {
        removeGroups(this.#name);
        return true;
      } catch {
        return false;
      }
    };
    await until(areGroupsRemoved, "the cgroup to become empty", timeoutMs);
  }
}
