import { Failure } from "../../core/failure.ts";
import { type HubAddress, parseHubAddress } from "../../core/hub/hub-address.ts";
import type { HubConfig } from "../../core/hub/hub-config.ts";
import { HubConnection, HubFailure } from "../../hub/connection.ts";
import { checkSchema } from "../../hub/schema.ts";
import { readIdentity } from "../../hub/machines.ts";
import { Sealer } from "../../io/seal/seal.ts";
import type { Environment } from "../environment.ts";
import { requireHubConfig } from "./hub-config.ts";

/** A hub that this machine has joined. Loads the database client: import it only when a hub is configured. */
export interface Hub {
  readonly config: HubConfig;
  readonly connection: HubConnection;
  readonly sealer: Sealer;
}

/** Connects, and checks that the schema, the hub and the key are the right ones. */
export async function openHub(environment: Environment): Promise<Hub> {
  const config = requireHubConfig(environment);
  const hub: Hub = {
    config,
    connection: new HubConnection(requireAddress(config.url)),
    sealer: new Sealer(config.key),
  };
  try {
    await checkSchema(hub.connection);
    await checkKey(hub);
    return hub;
  } catch (error) {
    await hub.connection.close();
    throw error;
  }
}

/** Opens the hub, and closes it after the work, however that ends. */
export async function withHub<Result>(environment: Environment, work: (hub: Hub) => Promise<Result>): Promise<Result> {
  const hub = await openHub(environment);
  try {
    return await work(hub);
  } finally {
    await hub.connection.close();
  }
}

export function requireAddress(url: string): HubAddress {
  const address = parseHubAddress(url);
  if (!("problem" in address)) return address;
  throw new Failure("usage", `the address of the hub cannot be used: ${address.problem}`);
}

/** Another key would make everything here unreadable for the other machines. */
export async function checkKey({ connection, sealer, config }: Hub): Promise<void> {
  const identity = await readIdentity(connection);
  const { shown } = connection.address;
  if (!identity) {
    throw new Failure("not-found", `hub ${shown}: this database has no hub`, { hint: "Run ai-runtime hub init." });
  }
  if (identity.id !== config.hub) {
    throw new Failure("failed", `hub ${shown}: this is another hub than the one that this machine joined`, {
      hint: "The database was created anew: run ai-runtime hub leave, then hub init or hub join.",
    });
  }
  if (Buffer.compare(Buffer.from(identity.keyCheck), sealer.check) !== 0) {
    throw new Failure("authentication", `hub ${shown}: the key of this machine is not the key of the hub`, {
      hint: "Join again with a line that ai-runtime hub init prints on a machine of this hub.",
    });
  }
}

/** The hub cannot be asked: it is away, or this machine has no valid access. Local work continues without it. */
export const isHubAway = (error: unknown): boolean =>
  error instanceof HubFailure || (error instanceof Failure && ["failed", "authentication"].includes(error.kind));
