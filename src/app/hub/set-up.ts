import { Failure } from "../../core/failure.ts";
import { type HubConfig, type Invitation, readInvitation, writeInvitation } from "../../core/hub/hub-config.ts";
import { HubConnection } from "../../hub/connection.ts";
import { createIdentity, departMachine, registerMachine } from "../../hub/machines.ts";
import { checkSchema, migrate } from "../../hub/schema.ts";
import { newKey, Sealer } from "../../io/seal/seal.ts";
import { machineName } from "../../io/system.ts";
import { readFirstLine } from "../../io/terminal/read-stdin.ts";
import { removeHubConfig, writeHubConfig } from "../../store/hub/hub-files.ts";
import type { Environment } from "../environment.ts";
import { findHubConfig, hubUrlVariable, requireHubConfig } from "./hub-config.ts";
import { sealLabel } from "./labels.ts";
import { startReplicator } from "./replicate/start-replicator.ts";
import { checkKey, type Hub, requireAddress } from "./open-hub.ts";

export interface SetUp {
  readonly config: HubConfig;
  /** The address without the password. */
  readonly shown: string;
  /** The line for `hub join` on other machines; it holds the key. */
  readonly invitation: string;
}

/**
 * Creates the hub in a database, or brings its schema up to date when this machine already belongs to it. `given` is the address
 * on the command line, which other users can read.
 */
export async function initHub(environment: Environment, given: string | undefined): Promise<SetUp> {
  const known = findHubConfig(environment);
  const url =
    given === "-" ? await readSecret("an address") : (given ?? environment.variables[hubUrlVariable] ?? known?.url);
  if (!url) {
    throw new Failure("usage", "the address of the database is missing", {
      hint: `Give postgres://user@host/database, - to read it from stdin, or ${hubUrlVariable}.`,
    });
  }
  const address = requireAddress(url);
  if (given !== undefined && given !== "-" && address.hasPassword) {
    throw new Failure("usage", "the address holds a password, and other users can read a command line", {
      hint: `Run ai-runtime hub init - and paste the address, or set ${hubUrlVariable}.`,
    });
  }
  const connection = new HubConnection(address);
  try {
    if (known && known.url !== url && given !== undefined) refuseSecondHub(known);
    await migrate(connection);
    const config = known ?? newConfig(environment, { url, key: newKey(), hub: crypto.randomUUID() });
    const identity = await createIdentity(connection, { id: config.hub, keyCheck: new Sealer(config.key).check });
    if (!known && identity.id !== config.hub) {
      throw new Failure("failed", `hub ${address.shown}: this database already has a hub`, {
        hint: "Run ai-runtime hub init on a machine of that hub to see its line, then ai-runtime hub join here.",
      });
    }
    return await enter(environment, { config, connection, sealer: new Sealer(config.key) });
  } finally {
    await connection.close();
  }
}

/** Joins the hub of another machine. The line comes from stdin, because it holds the key. */
export async function joinHub(environment: Environment): Promise<SetUp> {
  const line = await readSecret("the line");
  const invitation = readInvitation(line);
  if (!invitation) {
    throw new Failure("usage", "this is not a line for hub join", {
      hint: "Run ai-runtime hub init on a machine of the hub: it prints the line.",
    });
  }
  const known = findHubConfig(environment);
  if (known && known.hub !== invitation.hub) refuseSecondHub(known);
  const config = { ...newConfig(environment, invitation), ...(known ? { machine: known.machine } : {}) };
  const connection = new HubConnection(requireAddress(config.url));
  try {
    await checkSchema(connection);
    return await enter(environment, { config, connection, sealer: new Sealer(config.key) });
  } finally {
    await connection.close();
  }
}

export interface Departure {
  /** Why the hub does not know of it yet; undefined when it does. */
  readonly unreached: string | undefined;
}

/** Local files stay as they are, and so does what the hub has. */
export async function leaveHub(environment: Environment): Promise<Departure> {
  const config = requireHubConfig(environment);
  const connection = new HubConnection(requireAddress(config.url));
  let unreached: string | undefined;
  try {
    await departMachine(connection, config.machine);
  } catch (error) {
    unreached = error instanceof Error ? error.message : String(error);
  } finally {
    await connection.close();
  }
  removeHubConfig(environment.paths);
  return { unreached };
}

async function enter(environment: Environment, hub: Hub): Promise<SetUp> {
  const { config, connection, sealer } = hub;
  await checkKey(hub);
  await registerMachine(connection, config.machine, sealLabel(sealer, config.machine, { name: config.name }));
  // Last, so that a machine with a configuration is one that the hub knows.
  writeHubConfig(environment.paths, config);
  startReplicator(environment);
  return { config, shown: connection.address.shown, invitation: writeInvitation(config) };
}

const newConfig = ({ now }: Environment, { url, key, hub }: Invitation): HubConfig => ({
  version: 1,
  url,
  key,
  hub,
  machine: crypto.randomUUID(),
  name: machineName(),
  joined: now(),
});

function refuseSecondHub({ url }: HubConfig): never {
  throw new Failure("failed", `this machine belongs to the hub ${requireAddress(url).shown}`, {
    hint: "Run ai-runtime hub leave first.",
  });
}

async function readSecret(what: string): Promise<string> {
  const { line } = await readFirstLine();
  if (line.trim() !== "") return line.trim();
  throw new Failure("usage", `stdin holds no line: expected ${what}`);
}
