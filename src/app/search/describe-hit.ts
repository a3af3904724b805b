import { nameInProject } from "../../claude/paths.ts";
import { exitStatusOf, type SearchableText } from "../../claude/transcript/searchable.ts";
import { maskSecrets } from "../../core/mask-secrets.ts";
import { quotePosixWord } from "../../core/posix-quote.ts";
import { matchText } from "../../core/search/match.ts";
import type { Query } from "../../core/search/query.ts";
import { type Snippet, snippetOf } from "../../core/search/snippet.ts";
import { isDirectory, resolveLinks } from "../../io/files/read-file.ts";
import { viewSession } from "../../store/snapshots/session-view.ts";
import type { Environment } from "../environment.ts";
import { readSessionDirectory } from "../session/project-directory.ts";
import { titleOfSession } from "../session/session-title.ts";
import { resumingProgram } from "../snapshot/resuming-program.ts";
import type { Hit } from "./find-hits.ts";
import { readKey } from "./list-sources.ts";
import { readEntries } from "./read-chunks.ts";
import type { SourceReader } from "./source-reader.ts";

/** A hit as it is shown. */
export interface SearchResult {
  readonly session: string;
  readonly title: string | null;
  /** The directory; Claude's name for it when it is unknown. */
  readonly project: string;
  /** Milliseconds since 1970. */
  readonly time: number | null;
  readonly role: SearchableText["role"];
  readonly kind: SearchableText["kind"];
  /** For a call and its result: the tool, and how the call ended. */
  readonly tool: string | null;
  readonly outcome: "succeeded" | "failed" | null;
  readonly exitStatus: number | null;
  readonly snippet: Snippet;
  /** Where the text is: in the conversation as it is now, in an earlier state of it, in the snapshot of a deleted one, or beside it. */
  readonly place: "present" | "generation" | "deleted" | "subagent" | "tool-result";
  readonly generation: number | null;
  /** The file and the line in it. */
  readonly path: string;
  readonly offset: number;
  readonly entry: string | null;
  /** The command that continues the conversation, or brings it back. */
  readonly resume: string;
  /** The command that shows the text in its conversation; null for a file beside it. */
  readonly view: string | null;
}

const snippetWidth = 200;
/** Masking and matching a longer text again would take too long; a secret is shorter than the margin. */
const maxMaskedCharacters = 100_000;
const maskMargin = 12_000;

export class HitDescriber {
  readonly #environment: Environment;
  readonly #reader: SourceReader;
  readonly #query: Query;
  readonly #program: string;

  constructor(environment: Environment, reader: SourceReader, query: Query) {
    this.#environment = environment;
    this.#reader = reader;
    this.#query = query;
    this.#program = resumingProgram(environment);
  }

  describe(hit: Hit): SearchResult {
    const { source, text, offset, entry } = hit;
    const { session } = source;
    const where = readKey(source.key);
    const transcript = this.#reader.transcriptOf(session);
    const view = viewSession(this.#environment.paths, session);
    const file = this.#reader.open(source.key, ({ path }) => path) ?? "";
    const call = this.#callOf(hit);
    const directory = view?.cwd ?? (transcript && readSessionDirectory(transcript));
    const isSide = where.kind === "side-file";
    return {
      session,
      title: titleOfSession(transcript, view) ?? null,
      project: directory ?? (source.project || nameInProject(file)),
      time: hit.time ?? null,
      role: text.role,
      kind: text.kind,
      ...call,
      snippet: this.#snippet(hit),
      place: isSide
        ? where.name.startsWith("tool-results")
          ? "tool-result"
          : "subagent"
        : where.kind === "generation"
          ? "generation"
          : transcript === undefined
            ? "deleted"
            : "present",
      generation: where.kind === "generation" ? where.generation : null,
      path: file,
      offset,
      entry: entry.uuid ?? null,
      resume: this.#resumeCommand(hit, directory),
      view: isSide || entry.uuid === undefined ? null : `session-snapshot view ${session} --around ${entry.uuid}`,
    };
  }

  #snippet({ text, spans }: Hit): Snippet {
    const first = spans[0]?.start ?? 0;
    const from = text.text.length > maxMaskedCharacters ? Math.max(0, first - maskMargin) : 0;
    const masked = maskSecrets(text.text.slice(from, from + maxMaskedCharacters));
    // The name of a tool is searched, too, but shown elsewhere.
    return snippetOf(masked, matchText({ all: this.#query.all, none: [] }, masked) ?? [], snippetWidth);
  }

  #resumeCommand({ source, offset }: Hit, directory: string | undefined): string {
    const { session } = source;
    const where = readKey(source.key);
    if (where.kind === "generation") {
      const generation = viewSession(this.#environment.paths, session)?.generations.find(
        ({ number }) => number === where.generation,
      );
      const mark = generation?.marks.find(({ size }) => size > offset) ?? generation?.marks.at(-1);
      return `session-snapshot restore ${session}${mark ? ` --to ${mark.n}` : ""}`;
    }
    if (this.#reader.transcriptOf(session) === undefined) return `session-snapshot restore ${session}`;
    const isElsewhere =
      directory !== undefined &&
      isDirectory(directory) &&
      resolveLinks(directory) !== resolveLinks(this.#environment.cwd);
    return `${isElsewhere ? `cd ${quotePosixWord(directory)} && ` : ""}${this.#program} --resume ${session}`;
  }

  /** A call and its result are different lines; each is shown with what the other one knows. */
  #callOf(hit: Hit): Pick<SearchResult, "tool" | "outcome" | "exitStatus"> {
    const { callId, kind, tool } = hit.text;
    const near = callId === undefined ? [] : this.#textsNear(hit);
    const call = kind === "call" ? hit.text : near.find((each) => each.kind === "call" && each.callId === callId);
    const result = kind === "result" ? hit.text : near.find((each) => each.kind === "result" && each.callId === callId);
    const outcome = result?.failed === undefined ? null : result.failed ? "failed" : "succeeded";
    return { tool: call?.tool ?? tool ?? null, outcome, exitStatus: (result && exitStatusOf(result.text)) ?? null };
  }

  #textsNear({ source, offset, text }: Hit): SearchableText[] {
    const isCall = text.kind === "call";
    const start = isCall ? offset : Math.max(0, offset - callBytes);
    const end = offset + (isCall ? resultBytes : 0);
    return (
      this.#reader.open(source.key, (bytes) =>
        readEntries(bytes, start, end - start).flatMap(({ entry }) => entry.texts),
      ) ?? []
    );
  }
}

/** A result follows its call, usually at once: how far to look for the one and the other. */
const resultBytes = 64 * 1024;
const callBytes = 16 * 1024;
