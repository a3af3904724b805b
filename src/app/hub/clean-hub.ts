import { parseDuration } from "../../core/duration.ts";
import { Failure } from "../../core/failure.ts";
import { findHeads, type Head, listOld, removeSubject } from "../../hub/subjects.ts";
import type { Environment } from "../environment.ts";
import { readLabel } from "./fetch/find-in-hub.ts";
import { type Hub, withHub } from "./open-hub.ts";

export interface CleanRequest {
  readonly session: string | undefined;
  readonly olderThan: string | undefined;
}

export interface CleanableSession {
  readonly id: string;
  readonly title: string | null;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly updated: number;
}

export const planCleanHub = (environment: Environment, request: CleanRequest): Promise<CleanableSession[]> =>
  withHub(environment, async (hub) => {
    const heads = await findCleanable(hub, request);
    return heads.map((head) => {
      const { id, bytes, updated } = head;
      return { id, title: readLabel(hub, head).title, bytes, updated: updated.getTime() };
    });
  });

/** Local copies stay. Returns how many were removed: a session that another machine writes stays, too. */
export const cleanHub = (environment: Environment, ids: readonly string[]): Promise<number> =>
  withHub(environment, async ({ connection, config }) => {
    let removed = 0;
    for (const id of ids) removed += (await removeSubject(connection, id, config.machine)) ? 1 : 0;
    return removed;
  });

async function findCleanable(hub: Hub, { session, olderThan }: CleanRequest): Promise<Head[]> {
  if ((session === undefined) === (olderThan === undefined)) {
    throw new Failure("usage", "say which sessions: --session ID or --older-than AGE");
  }
  if (olderThan !== undefined) {
    const age = parseDuration(olderThan);
    if (age === undefined) throw new Failure("usage", `"${olderThan}" is not an age: use for example 90d`);
    return listOld(hub.connection, "session", age);
  }
  const found = await findHeads(hub.connection, "session", session ?? "", 2);
  if (found.length === 1) return found;
  const given = (session ?? "").slice(0, 60);
  if (found.length === 0) throw new Failure("not-found", `the hub has no session "${given}"`);
  throw new Failure("usage", `several sessions of the hub start with "${given}"`);
}
