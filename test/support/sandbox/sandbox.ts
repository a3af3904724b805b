// An isolated environment for one test: its own HOME, configuration, PATH and git project.
import { chmod, copyFile, link, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claudeCommand, newestClaude, type ClaudeVersion } from "./claude-versions.ts";
import type { FakeAnthropic } from "../anthropic/fake-anthropic.ts";
import { endLeftovers } from "./leftover-processes.ts";
import { setOutsideTrap, type OutsideTrap } from "./outside-trap.ts";
import {
  baseEnvironment,
  clientEnvironment,
  dummyKey,
  makePlaces,
  type Customer,
  type Environment,
  type SandboxPlaces,
} from "./sandbox-environment.ts";
import { describeOutput, SandboxProcess, type Finished, type StartOptions } from "./sandbox-process.ts";
import { findTranscripts, readTranscript, type Transcript } from "../transcripts/transcript-records.ts";

export interface SandboxOptions {
  /** The version of `claude` on the PATH; "none" leaves it out. */
  readonly claude?: ClaudeVersion | "none";
}

export interface SpawnOptions extends Partial<Omit<StartOptions, "env">> {
  /** Added to the sandbox's environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface RunOptions extends SpawnOptions {
  /** Milliseconds after which the whole process group is killed and the run fails. */
  readonly timeout?: number;
}

export interface AsCustomer {
  readonly as?: Customer;
}

type Command = readonly [string, ...string[]];

export async function createSandbox({ claude = newestClaude }: SandboxOptions = {}): Promise<Sandbox> {
  const places = await makePlaces(await mkdtemp(join(await realpath(tmpdir()), "air-")));
  const node = Bun.which("node");
  if (node !== null) await symlink(node, join(places.binDir, "node"));
  if (claude !== "none") await placeClaude(places.binDir, claude);
  const sandbox = new Sandbox(places, setOutsideTrap());
  await startProject(sandbox);
  return sandbox;
}

export class Sandbox implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly binDir: string;
  readonly projectDir: string;
  readonly configDir: string;
  readonly env: Environment;
  readonly #places: SandboxPlaces;
  readonly #trap: OutsideTrap;
  readonly #started: SandboxProcess[] = [];

  constructor(places: SandboxPlaces, trap: OutsideTrap) {
    this.#places = places;
    this.#trap = trap;
    this.root = places.root;
    this.home = places.home;
    this.binDir = places.binDir;
    this.projectDir = places.projectDir;
    this.configDir = join(places.home, ".claude");
    this.env = baseEnvironment(places, trap.url);
  }

  /** Requests of programs in the sandbox to addresses beyond loopback. */
  get outsideAttempts(): readonly string[] {
    return this.#trap.attempts;
  }

  /** Starts a program; disposing the sandbox kills it. */
  spawn(command: Command, { env = {}, cwd = this.projectDir, ...options }: SpawnOptions = {}): SandboxProcess {
    const merged = mergeEnvironment(this.env, env);
    const started = new SandboxProcess(onPath(command, merged), { ...options, cwd, env: merged });
    this.#started.push(started);
    return started;
  }

  /** Runs a program and waits for its end. */
  async run(command: Command, { timeout = 100_000, ...options }: RunOptions = {}): Promise<Finished> {
    const started = this.spawn(command, options);
    const timedOut = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      timedOut.reject(new Error(`still running after ${timeout} ms: ${describeOutput(started)}`));
      started.signalGroup("SIGKILL");
    }, timeout);
    try {
      return await Promise.race([started.finished, timedOut.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The variables that point the client to this API. */
  claudeEnv(api: FakeAnthropic, { as = "subscriber" }: AsCustomer = {}): Environment {
    return clientEnvironment(this.#places, api.url, as);
  }

  /** Runs the client and waits for its end. */
  claude(api: FakeAnthropic, args: readonly string[], options: RunOptions & AsCustomer = {}): Promise<Finished> {
    return this.run(["claude", ...args], { ...options, env: { ...this.claudeEnv(api, options), ...options.env } });
  }

  startClaude(api: FakeAnthropic, args: readonly string[], options: SpawnOptions & AsCustomer = {}): SandboxProcess {
    return this.spawn(["claude", ...args], { ...options, env: { ...this.claudeEnv(api, options), ...options.env } });
  }

  /** Paths of the client's transcripts without those of subagents, oldest first. */
  transcripts(configDir: string = this.configDir): Promise<readonly string[]> {
    return findTranscripts(configDir);
  }

  /** The records of the only transcript. */
  async transcript(): Promise<Transcript> {
    const paths = await this.transcripts();
    const [path] = paths;
    if (path === undefined || paths.length > 1) throw new Error(`expected one transcript, found ${paths.length}`);
    return readTranscript(path);
  }

  /** Stores the answers to the questions that the client's terminal interface asks on its first start. */
  async trustProject(directory: string = this.projectDir): Promise<void> {
    const file = Bun.file(join(this.home, ".claude.json"));
    const state: { readonly projects?: Readonly<Record<string, object>> } = (await file.exists())
      ? await file.json()
      : {};
    const trusted = { ...state.projects?.[directory], hasTrustDialogAccepted: true };
    const answers = {
      hasCompletedOnboarding: true,
      theme: "dark",
      customApiKeyResponses: { approved: [dummyKey.slice(-20)], rejected: [] },
      projects: { ...state.projects, [directory]: trusted },
    };
    await file.write(JSON.stringify({ ...state, ...answers }));
  }

  /** Puts our built executable on the PATH under each of its names. */
  async installBinaries(executable: string): Promise<void> {
    const first = join(this.binDir, "ai-runtime");
    // A hard link fails when the temporary directory is on another file system.
    await link(executable, first).catch(() => copyFile(executable, first));
    for (const name of ["cclaude", "session-snapshot"]) await link(first, join(this.binDir, name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const started of this.#started) started.signalGroup("SIGKILL");
    await endLeftovers(this.root);
    await Promise.all(this.#started.map((started) => started.exited));
    this.#trap[Symbol.dispose]();
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

// Uses the sandbox's PATH, not that of the test runner.
function onPath([program, ...args]: Command, environment: Environment): Command {
  const found = program.includes("/") ? program : Bun.which(program, { PATH: environment["PATH"] ?? "" });
  if (found === null) throw new Error(`${program} is not on the sandbox's PATH`);
  return [found, ...args];
}

function mergeEnvironment(base: Environment, changes: Readonly<Record<string, string | undefined>>): Environment {
  const merged = Object.entries({ ...base, ...changes });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function placeClaude(binDir: string, version: ClaudeVersion): Promise<void> {
  const [program, script] = claudeCommand(version);
  const place = join(binDir, "claude");
  if (script === undefined) return symlink(program, place);
  await Bun.write(place, `#!/bin/sh\nexec "${program}" "${script}" "$@"\n`);
  await chmod(place, 0o755);
}

async function startProject(sandbox: Sandbox): Promise<void> {
  await Bun.write(join(sandbox.projectDir, "README.md"), "# A project\n");
  for (const args of [
    ["init", "--quiet"],
    ["add", "."],
    ["commit", "--quiet", "--message", "Start"],
  ]) {
    const { exitCode, stderr } = await sandbox.run(["git", ...args]);
    if (exitCode !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  }
}
