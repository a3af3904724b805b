import { count, type Defect } from "./defect.ts";
import { asObject, asText, type JsonObject } from "./json-object.ts";

/** A transcript that claude would take up at an earlier place than it has come to. */
export interface StaleEnd {
  readonly defect: Defect;
  /** The line that names the true end. */
  readonly note: string;
}

/** The note is written with every prompt or so: one that is further back is not there. */
const furthest = 16_000_000;

/**
 * Clients from 2.1.197 on keep a note of where the conversation ends (`last-prompt`, `leafUuid`) and go by it. One that is
 * killed leaves an earlier note behind. When what came since does not hang on the record that it names, all of it is left out
 * without a word: after an error that was got over (seen in 2.1.197 and 2.1.325), and after tool calls that ran side by side
 * (2.1.197). Lines come newest first.
 */
export function findStaleEnd(lines: Iterable<string>): StaleEnd | undefined {
  let tip: string | undefined;
  /** The next one on the way up from the tip. */
  let ancestor: string | undefined;
  /** What stands behind the note, with what came after each: claude writes the end that it notes a little later than the note. */
  const later = new Map<string, { readonly isOnTheWay: boolean; readonly since: number }>();
  let note: JsonObject | undefined;
  let read = 0;
  for (const line of lines) {
    read += line.length;
    if (read > furthest) return undefined;
    const fields = parse(line);
    if (!note && fields?.["type"] === "last-prompt") {
      if (tip === undefined) return undefined;
      note = fields;
      const noted = later.get(asText(note["leafUuid"]) ?? "");
      if (noted) return noted.isOnTheWay ? undefined : staleEnd(note, tip, noted.since);
    }
    const uuid = fields?.["isSidechain"] === true ? undefined : asText(fields?.["uuid"]);
    if (uuid === undefined) continue;
    tip ??= uuid;
    ancestor ??= uuid;
    if (!note) later.set(uuid, { isOnTheWay: uuid === ancestor, since: later.size });
    // Parents stand before their children: at the noted end the way has come to it, or leads past it.
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
  what: "its own note of where the conversation ends is an earlier one, and names another branch",
  loses: `in some Claude from 2.1.197 on everything since (${count(records, "record")})`,
  repair: "a note of the true end is added",
});

function parse(line: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}
