// The hub's local files: the configuration, and the notes of the replicator. The hub itself says what it has.
import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { projectDirectoryName } from "../../../src/claude/paths.ts";
import { type Invitation, writeInvitation } from "../../../src/core/hub/hub-config.ts";
import { readReplicationState } from "../../../src/store/hub/hub-files.ts";
import { HubMachine } from "../../support/hub/machine.ts";
import { sharedPostgres } from "../../support/hub/shared-postgres.ts";
import { readFromHub } from "../../support/hub/read-hub.ts";
import type { FaultWorld } from "../fault-world.ts";
import type { Command, Story } from "../story.ts";

const id = "killed-session";

/** The same home, as a machine of a hub. */
const machineOf = (world: FaultWorld): HubMachine => new HubMachine({ home: world.home });

const command = (...words: string[]): Command => ({ words, env: { AI_RUNTIME_HUB_NO_REPLICATOR: "1" } });

const join: Story = {
  title: "hub join of a second machine",
  isUneven: true,
  async prepare() {
    using first = new HubMachine();
    const line = await first.init(await (await sharedPostgres()).createDatabase());
    return { ...command("hub", "join"), stdin: `${line}\n` };
  },
  outcome(world) {
    const { configPath } = machineOf(world);
    if (!existsSync(configPath)) return "old";
    lines.set(world.home, writeInvitation(JSON.parse(readFileSync(configPath, "utf8")) as Invitation));
    return "new";
  },
  async recover(world) {
    const machine = machineOf(world);
    await machine.join(lines.get(world.home) ?? "");
    await machine.succeed(["hub", "status"]);
  },
};

/** The line of each world: the first run of a story is undisturbed, so it is known before it is needed. */
const lines = new Map<string, string>();

const sync: Story = {
  title: "hub sync of a session that has grown",
  isUneven: true,
  async prepare(world) {
    // A replicator that the hook starts would send the bytes before the command does.
    world.env["AI_RUNTIME_HUB_NO_REPLICATOR"] = "1";
    const machine = machineOf(world);
    await machine.init(await (await sharedPostgres()).createDatabase());
    world.grow(id, 200_000);
    await world.hook(id);
    await machine.succeed(["hub", "sync"]);
    world.grow(id, 200_000, "more");
    await world.hook(id);
    return command("hub", "sync");
  },
  async outcome(world) {
    const machine = machineOf(world);
    const inHub = await readFromHub(machine, id);
    const sent = inHub?.contents.get("mirror/1");
    expect(inHub?.manifest.whole).toBe(true);
    // The notes never claim more than the hub has.
    const { through } = readReplicationState(currentEnvironment(machine.env).paths, machine.config().hub);
    const isNew = sent?.equals(machine.read(id)) ?? false;
    if (!isNew) expect(sent).toEqual(machine.read(id).subarray(0, sent?.length));
    expect(isNew || through < Date.now()).toBe(true);
    return isNew ? "new" : "old";
  },
  async recover(world) {
    const machine = machineOf(world);
    await machine.succeed(["hub", "sync"]);
    expect((await readFromHub(machine, id))?.contents.get("mirror/1")).toEqual(machine.read(id));
    expect(await machine.succeed(["hub", "sync", "--json"])).toMatchObject({
      stdout: expect.stringContaining('"sent":0'),
    });
  },
};

/** What the other machine had, by the world that fetches it. */
const sent = new Map<string, string>();

const fetch: Story = {
  title: "hub fetch of a session of another machine",
  isUneven: true,
  async prepare(world) {
    using other = new HubMachine();
    const line = await other.init(await (await sharedPostgres()).createDatabase());
    other.grow(id, 100_000);
    await other.hook(id);
    other.overwrite(id, "");
    other.grow(id, 100_000, "rewritten");
    await other.hook(id);
    await other.succeed(["hub", "sync"]);
    sent.set(world.home, other.read(id).toString());
    await machineOf(world).join(line);
    return command("hub", "fetch", id, "--into", world.directory);
  },
  outcome(world) {
    const path = fetchedTranscript(world);
    if (!existsSync(path)) return "old";
    expect(readFileSync(path, "utf8")).toBe(sent.get(world.home) ?? "");
    return "new";
  },
  async recover(world) {
    const machine = machineOf(world);
    await machine.succeed(["hub", "fetch", id, "--into", world.directory]);
    expect(readFileSync(fetchedTranscript(world), "utf8")).toBe(sent.get(world.home) ?? "");
    expect(world.files.mirror(id).toString()).toBe(sent.get(world.home) ?? "");
    expect(existsSync(`${world.files.root}/hub-incoming/${id}`)).toBe(false);
  },
};

const fetchedTranscript = (world: FaultWorld): string =>
  `${world.home}/.claude/projects/${projectDirectoryName(world.directory)}/${id}.jsonl`;

export const hubStories: readonly Story[] = [join, sync, fetch];
