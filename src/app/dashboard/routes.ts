import { Failure } from "../../core/failure.ts";
import type { Now } from "../../core/dashboard/contract.ts";
import type { WebSocketListener } from "../../io/http/serve.ts";
import type { Environment } from "../environment.ts";
import { runChecks } from "../doctor/doctor.ts";
import { conversationPart } from "./conversation.ts";
import type { LiveEvents } from "./live-events.ts";
import { listRunCards } from "./look-now.ts";
import { resumeRunById, runLog, startRun, stopRunById } from "./run-actions.ts";
import { searchFor } from "./search-page.ts";
import { type ActionRequest, performAction, planAction, readAction, sessionOf } from "./session-actions.ts";
import { listSessions, sessionTimeline } from "./session-timeline.ts";
import { TerminalBridge } from "./terminal-bridge.ts";

/** What the handlers of a dashboard share. */
export interface Dashboard {
  readonly environment: Environment;
  readonly isReadOnly: boolean;
  readonly live: LiveEvents;
  look(): Promise<Now>;
}

/** A request that passed all checks. */
export interface Asked {
  readonly request: Request;
  /** The part of the path that the route leaves open. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Of a POST: the JSON object that it sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Route {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  /** It changes something, so a read-only dashboard refuses it. */
  readonly acts?: true;
  /** Answers with JSON, with a response of its own, or with a WebSocket. */
  run(dashboard: Dashboard, asked: Asked): Promise<unknown> | Response | WebSocketListener;
}

/** A text of the body; fails when it is missing or too long. */
function textIn(body: Asked["body"], name: string, maxCharacters = 200): string {
  const value = body[name];
  if (typeof value === "string" && value.length <= maxCharacters) return value;
  throw new Failure("usage", `"${name}" must be a text of at most ${maxCharacters} characters`);
}

/** The same, where it may be left out. */
const optionalTextIn = (body: Asked["body"], name: string): string | undefined =>
  body[name] === undefined || body[name] === null ? undefined : textIn(body, name);

const pageSize = 50;
const searchLimit = 30;
const maxTaskCharacters = 20_000;
/** Ids of sessions and runs: they become parts of paths. */
const id = "([A-Za-z0-9][A-Za-z0-9_-]{0,100})";
const at = (path: string): RegExp => new RegExp(`^/api/${path}$`);

const numberOf = (query: URLSearchParams, name: string, otherwise: number): number => {
  const text = query.get(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
};

const idIn = (query: URLSearchParams, name: string): string | undefined =>
  new RegExp(`^${id}$`).exec(query.get(name) ?? "")?.[1];

const actionIn = ({ environment }: Dashboard, { id: given, body }: Asked): ActionRequest => ({
  sessionId: sessionOf(environment, given),
  action: readAction(textIn(body, "action")),
  to: optionalTextIn(body, "to"),
});

export const routes: readonly Route[] = [
  { method: "GET", path: at("now"), run: (dashboard) => dashboard.look() },
  {
    method: "GET",
    path: at("events"),
    run: ({ live }, { request, query }) => live.open(request, idIn(query, "session")),
  },
  {
    method: "GET",
    path: at("sessions"),
    run: async ({ environment }, { query }) => listSessions(environment, numberOf(query, "skip", 0), pageSize),
  },
  {
    method: "GET",
    path: at(`session/${id}`),
    run: ({ environment }, { id: given }) => sessionTimeline(environment, given),
  },
  {
    method: "GET",
    path: at(`session/${id}/conversation`),
    run: async ({ environment }, { id: sessionId, query }) =>
      conversationPart(environment, {
        sessionId,
        to: query.get("to") ?? undefined,
        around: query.get("around") ?? undefined,
        count: numberOf(query, "count", 200),
      }),
  },
  {
    method: "POST",
    path: at(`session/${id}/plan`),
    // A plan for files notes the present state.
    acts: true,
    run: (dashboard, asked) => planAction(dashboard.environment, actionIn(dashboard, asked)),
  },
  {
    method: "POST",
    path: at(`session/${id}/act`),
    acts: true,
    run: (dashboard, asked) =>
      performAction(dashboard.environment, actionIn(dashboard, asked), textIn(asked.body, "seal")),
  },
  {
    method: "GET",
    path: at("search"),
    run: ({ environment }, { query }) => searchFor(environment, query.get("words") ?? "", searchLimit),
  },
  {
    method: "POST",
    path: at("runs"),
    acts: true,
    run: ({ environment }, { body }) =>
      startRun(environment, {
        task: textIn(body, "task", maxTaskCharacters),
        directory: textIn(body, "directory", 4_096),
        permissionMode: textIn(body, "permissionMode"),
      }),
  },
  { method: "GET", path: at("runs"), run: async ({ environment }) => listRunCards(environment) },
  {
    method: "POST",
    path: at(`run/${id}/stop`),
    acts: true,
    run: ({ environment }, { id: given }) => stopRunById(environment, given),
  },
  {
    method: "POST",
    path: at(`run/${id}/resume`),
    acts: true,
    run: ({ environment }, { id: given }) => resumeRunById(environment, given),
  },
  {
    method: "GET",
    path: at(`run/${id}/log`),
    run: async ({ environment }, { id: given, query }) => runLog(environment, given, numberOf(query, "from", 0)),
  },
  { method: "GET", path: at("doctor"), run: ({ environment }) => runChecks(environment) },
  {
    method: "GET",
    path: at(`terminal/${id}`),
    run: ({ environment, isReadOnly }, { id: given }) => new TerminalBridge(environment, given, isReadOnly),
  },
];
