// What the server of the dashboard sends to its page, and what the page asks for. Times are milliseconds since 1970. All texts
// come from strangers (titles, tool output, file names): the page shows them as text only.

/** How urgent a state is; it decides the color of a card. */
export type Tone = "ask" | "wait" | "busy" | "idle" | "bad" | "done";

/** A hosted Claude, a run or a service. */
export interface Card {
  readonly kind: "claude" | "run" | "service";
  readonly id: string;
  /** Empty when it has none. */
  readonly title: string;
  readonly directory: string;
  readonly words: string;
  readonly tone: Tone;
  readonly wait: { readonly for: "start" | "limit" | "retry"; readonly until: number } | null;
  readonly since: number | null;
  readonly lastStep: string | null;
  readonly costUsd: number;
  /** Its conversation; null when it is not known, or has none. */
  readonly sessionId: string | null;
  /** A terminal can attach to it. */
  readonly hasTerminal: boolean;
  readonly hasEnded: boolean;
  readonly canStop: boolean;
  readonly canResume: boolean;
  /** The command that does what a user most likely wants next; null when there is none. */
  readonly command: string | null;
}

export interface UsageWindowView {
  readonly name: string;
  readonly percent: number;
  readonly resetsAt: number | null;
  readonly perHour: number | null;
  readonly fullAt: number | null;
  /** The used share at equal intervals, newest last; null where nothing is known. */
  readonly chart: readonly (number | null)[];
  readonly spanMs: number;
}

export interface Now {
  readonly version: string;
  readonly machine: string;
  readonly home: string;
  readonly isReadOnly: boolean;
  /** The server's clock when it looked. */
  readonly time: number;
  /** Those that need the user first. */
  readonly cards: readonly Card[];
  readonly olderRuns: number;
  readonly usage: { readonly seen: number | null; readonly windows: readonly UsageWindowView[] };
  readonly todayUsd: number;
  readonly weekUsd: number;
  /** Sentences about records that cannot be read. */
  readonly problems: readonly string[];
}

/** A refusal or an error, in words for the user. */
export interface Refusal {
  readonly error: string;
  readonly hint: string | null;
}

export interface SessionRow {
  readonly sessionId: string;
  readonly title: string | null;
  readonly directory: string | null;
  readonly modified: number;
}

export interface SessionPage {
  readonly sessions: readonly SessionRow[];
  readonly total: number;
}

/** A place where the conversation can be cut. `tokens`: of a request that continues there. */
export interface TimelinePoint {
  readonly time: number;
  readonly tokens: number;
  readonly turn: number;
}

export interface TimelineMark {
  readonly n: number;
  readonly time: number;
  readonly reason: string;
  readonly size: number;
  readonly tokens: number | null;
  readonly lastStep: string | null;
  readonly generation: number;
}

export interface TimelineFileMark {
  readonly n: number;
  readonly time: number;
  /** What caused it, and what had changed since the one before. */
  readonly reason: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

export type TimelineEventKind = "compaction" | "limit" | "error" | "restore" | "replaced";

export interface TimelineEvent {
  readonly kind: TimelineEventKind;
  readonly time: number;
  readonly text: string;
}

export interface SessionTimeline {
  readonly sessionId: string;
  readonly title: string | null;
  readonly directory: string | null;
  readonly transcriptPath: string | null;
  /** Context window in tokens. */
  readonly window: number;
  readonly turns: number;
  readonly points: readonly TimelinePoint[];
  readonly marks: readonly TimelineMark[];
  readonly fileMarks: readonly TimelineFileMark[];
  readonly events: readonly TimelineEvent[];
  /** Where it is open now; null when it is not. */
  readonly openIn: string | null;
  readonly canUndo: boolean;
  readonly canUndoFiles: boolean;
}

/** A part of a conversation, as Markdown. */
export interface ConversationBlock {
  readonly style: "user" | "claude" | "text" | "call" | "code" | "note" | "error";
  readonly text: string;
  /** It belongs to the block before it. */
  readonly tight?: boolean;
}

export interface ConversationPart {
  /** What is shown: the conversation now, or at which point. */
  readonly at: string;
  readonly blocks: readonly ConversationBlock[];
  /** Earlier blocks that are left out. */
  readonly earlier: number;
}

export const sessionActions = ["restore", "restore-files", "undo", "undo-files", "fork"] as const;
export type SessionAction = (typeof sessionActions)[number];

/** What an action would do, before it is done. */
export interface ActionPlan {
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly changes: readonly { readonly path: string; readonly change: string }[];
  /** The command line that does the same. */
  readonly command: string;
  /** There is nothing to do. */
  readonly isEmpty: boolean;
  /** Names exactly this plan: the action refuses when it would do something else by now. */
  readonly seal: string;
}

export interface ActionDone {
  readonly message: string;
  /** The command that reverses or continues it; null when there is none. */
  readonly next: string | null;
  /** Of a fork: the hosted Claude. */
  readonly hostId: string | null;
}

export interface SearchHit {
  readonly sessionId: string;
  readonly title: string | null;
  readonly project: string;
  readonly time: number | null;
  readonly speaker: string;
  readonly snippet: string;
  /** Ranges of the snippet that match. */
  readonly marks: readonly (readonly [from: number, to: number])[];
  readonly entry: string | null;
  readonly command: string;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  readonly isPartial: boolean;
  readonly warnings: readonly string[];
}

export interface LogPart {
  readonly text: string;
  /** Where the next part begins. */
  readonly end: number;
}

export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "failed";
  readonly message: string;
  readonly fix: string | null;
}

/** The permission modes that the page offers for a new run; it never offers to skip permissions. */
export const offeredModes = ["plan", "default", "acceptEdits"] as const;
