import {
  headLength,
  isBookkeepingHead,
  readSearchable,
  type SearchableEntry,
} from "../../claude/transcript/searchable.ts";
import { decodeLine, TranscriptReader } from "../../claude/transcript/transcript.ts";
import { WordSet } from "../../core/search/word-set.ts";
import type { NewChunk } from "../../store/index/search-index.ts";
import type { SourceBytes } from "./source-reader.ts";

/** Small enough that a chunk holds few messages and is read in no time; large enough that its words are worth an entry. */
const chunkBytes = 8_192;
const readBytes = 1024 * 1024;
/** A line of this size is not decoded before a look at its beginning. */
const longLineBytes = 2_000;

const words = new WordSet();

/** Cuts the bytes from `from` on into chunks with their words. `time` is that of the file, for text without its own. */
export function* readChunks(source: SourceBytes, from: number, time: number): Generator<NewChunk> {
  words.take();
  yield* source.isTranscript ? transcriptChunks(source, from, time) : textChunks(source, from, time);
}

function* transcriptChunks(source: SourceBytes, from: number, modified: number): Generator<NewChunk> {
  const done: NewChunk[] = [];
  let start = 0;
  let end = 0;
  let time = 0;
  const close = (): void => {
    if (end > start)
      done.push({ start: from + start, length: end - start, time: time || modified, words: words.take() });
    start = end = 0;
  };
  const reader = new TranscriptReader(({ offset, bytes }) => {
    const entry = readEntry(bytes);
    if (!entry) {
      // Between two messages there may be much that is not worth reading again.
      if (end > start && offset + bytes.length - start > chunkBytes) close();
      return;
    }
    if (end === start) start = offset;
    end = offset + bytes.length;
    time = entry.time ?? time;
    for (const { text, tool } of entry.texts) {
      if (tool) words.add(tool);
      words.add(text);
    }
    if (end - start >= chunkBytes) close();
  });
  for (let at = from; at < source.size; at += readBytes) {
    reader.feed(source.read(at, Math.min(source.size, at + readBytes)));
    yield* done.splice(0);
  }
  close();
  yield* done;
}

function readEntry(bytes: Uint8Array): SearchableEntry | undefined {
  if (bytes.length > longLineBytes && isBookkeepingHead(decodeLine(bytes.subarray(0, headLength)))) return undefined;
  return readSearchable(decodeLine(bytes));
}

/** Cut between words, so that none is lost. */
function* textChunks(source: SourceBytes, from: number, time: number): Generator<NewChunk> {
  for (let start = from; start < source.size;) {
    const bytes = source.read(start, start + chunkBytes);
    if (bytes.length === 0) return;
    const isLast = start + bytes.length >= source.size;
    const space = isLast ? -1 : bytes.findLastIndex((byte) => byte === 0x0a || byte === 0x20);
    const length = space > 0 ? space + 1 : bytes.length;
    words.add(decodeLine(bytes.subarray(0, length)));
    yield { start, length, time, words: words.take() };
    start += length;
  }
}

/** The searchable entries of a chunk, with the offset of each; a text file is one entry. */
export function readEntries(
  source: SourceBytes,
  start: number,
  length: number,
): { offset: number; entry: SearchableEntry }[] {
  const bytes = source.read(start, start + length);
  if (!source.isTranscript) {
    const text = decodeLine(bytes);
    const entry: SearchableEntry = {
      uuid: undefined,
      time: undefined,
      texts: [{ role: "tool", kind: "result", text }],
    };
    return [{ offset: start, entry }];
  }
  const found: { offset: number; entry: SearchableEntry }[] = [];
  const reader = new TranscriptReader(({ offset, bytes: line }) => {
    const entry = readEntry(line);
    if (entry) found.push({ offset: start + offset, entry });
  });
  reader.feed(bytes);
  reader.end();
  return found;
}
