import type { Defect } from "../repair/defect.ts";

/** Claude writes a tool result once: it may grow while the tool runs, but never gets smaller or changes in place. */
export const isToolResult = (name: string): boolean => /^tool-results[\\/]/.test(name);

/** A file of text, which has no NUL bytes. */
export const isTextFile = (name: string): boolean => /\.(txt|json|md|log)$/.test(name);

/** The transcript of a subagent. */
export const isSubagentTranscript = (name: string): boolean => name.endsWith(".jsonl");

const unreadable: ReadonlySet<Defect["kind"]> = new Set(["nul-run", "glued-records", "invalid-json", "empty-file"]);

/** Bytes that Claude cannot read. A subagent may end anywhere, so links, open calls and a torn end do not count. */
export const makesUnreadable = ({ kind }: Defect): boolean => unreadable.has(kind);
