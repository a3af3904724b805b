import { count, type Defect } from "./defect.ts";
import { asText, type JsonObject, parseObject } from "../json-object.ts";

/** A transcript that claude would resume at an earlier place than its end. */
export interface StaleEnd {
  readonly defect: Defect;
  /** The line to append, which names the real end. */
  readonly note: string;
}

/** Bytes searched backwards. Claude writes a note with almost every prompt, so it is never further back. */
export const maxSearchBytes = 16_000_000;

/**
 * Clients since 2.1.197 write a note of where the conversation ends (`last-prompt`, `leafUuid`) and resume there. A killed client
 * leaves an old note. Records since then that do not descend from the noted record are silently lost on resume: after an error
 * that a retry overcame (seen in 2.1.197 and 2.1.325), and after parallel tool calls (2.1.197). Lines come newest first.
 */
export function findStaleEnd(lines: Iterable<string>): StaleEnd | undefined {
  let tip: string | undefined;
  /** The next ancestor of the tip. */
  let ancestor: string | undefined;
  /** Records after the note, because claude writes the note a little before the record that it names. */
  const later = new Map<string, { readonly isAncestor: boolean; readonly since: number }>();
  let note: JsonObject | undefined;
  let read = 0;
  for (const line of lines) {
    read += line.length;
    if (read > maxSearchBytes) return undefined;
    const fields = parseObject(line);
    if (!note && fields?.["type"] === "last-prompt") {
      if (tip === undefined) return undefined;
      note = fields;
      const noted = later.get(asText(note["leafUuid"]) ?? "");
      if (noted) return noted.isAncestor ? undefined : staleEnd(note, tip, noted.since);
    }
    const uuid = fields?.["isSidechain"] === true ? undefined : asText(fields?.["uuid"]);
    if (uuid === undefined) continue;
    tip ??= uuid;
    ancestor ??= uuid;
    if (!note) later.set(uuid, { isAncestor: uuid === ancestor, since: later.size });
    // Parents come before their children, so here it is decided whether the noted record is an ancestor of the tip.
    else if (uuid === note["leafUuid"]) return uuid === ancestor ? undefined : staleEnd(note, tip, later.size);
    if (uuid === ancestor) ancestor = asText(fields?.["parentUuid"]) ?? "";
  }
  return undefined;
}

const staleEnd = (note: JsonObject, tip: string, since: number): StaleEnd => ({
  defect: describe(since),
  note: JSON.stringify({ ...note, leafUuid: tip }),
});

const describe = (records: number): Defect => ({
  kind: "stale-end",
  severity: "damage",
  line: 0,
  offset: 0,
  what: "its note of where the conversation ends is out of date and names another branch",
  loses: `in some Claude from 2.1.197 on everything since (${count(records, "record")})`,
  repair: "a note of the real end is added",
});
