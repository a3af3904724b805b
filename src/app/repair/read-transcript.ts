import { startScanner } from "../../claude/scanner/scanner.ts";
import { type Findings, TranscriptVerifier } from "../../claude/repair/verify-transcript.ts";
import { decodeLine } from "../../claude/transcript/transcript.ts";
import { byteTools } from "../../io/files/byte-tools.ts";
import { forEachChunk, type OpenFile, readRange, sameStretches } from "../../io/files/read-file.ts";
import { HashChain } from "../../store/packing/hash-chain.ts";
import { recallVerified, rememberVerified } from "../../store/session-notes/verified.ts";
import type { TranscriptTarget } from "../session/choose-transcript.ts";
import type { Environment } from "../environment.ts";

export interface TranscriptReading {
  findings: Findings;
  /** Hash of the whole file. */
  hash: string;
  /** Hash of the first `prefixSize` bytes; undefined when the file is shorter. */
  prefix: string | undefined;
}

/** Verifying a smaller file is as fast as looking up the remembered result. */
const minRememberedBytes = 4_000_000;
/** A longer record is not read a second time. */
const maxReadBytes = 1_000_000;

/** Verifies a transcript in one pass. A transcript that was clean before and has not changed is only hashed. */
export function readTranscript(
  { paths }: Environment,
  file: OpenFile,
  { path, sessionId }: TranscriptTarget,
  { isLive, prefixSize = 0 }: { isLive: boolean; prefixSize: number | undefined },
): TranscriptReading {
  const isLarge = file.size >= minRememberedBytes;
  const known = isLarge ? recallVerified(paths, path) : undefined;
  if (known?.size === file.size) {
    const hashes = hashTwice(file, prefixSize);
    if (hashes.hash === known.hash) return { ...hashes, findings: known.facts as Findings };
  }
  const verifier = new TranscriptVerifier({
    ...byteTools,
    sessionId,
    isLive,
    isSame: (one, other) => sameStretches(file.fd, one.offset, other.offset, one.length),
    readRecord: ({ offset, length }) =>
      length > maxReadBytes ? undefined : decodeLine(readRange(file.fd, offset, offset + length)),
    scanner: startScanner(),
  });
  const hashes = hashTwice(file, prefixSize, verifier);
  const findings = verifier.finish();
  // A live transcript is judged more leniently, so its result is not valid later.
  if (isLarge && !findings.damaged && !isLive) {
    rememberVerified(paths, path, { size: file.size, hash: hashes.hash, facts: findings });
  }
  return { ...hashes, findings };
}

function hashTwice(
  file: OpenFile,
  prefixSize: number,
  verifier?: TranscriptVerifier,
): Pick<TranscriptReading, "hash" | "prefix"> {
  const chain = HashChain.empty();
  let prefix: string | undefined;
  const visit = (bytes: Uint8Array): void => {
    const left = prefixSize - chain.size;
    if (left > 0 && left <= bytes.length) {
      chain.feed(bytes.subarray(0, left));
      prefix = chain.digest();
      chain.feed(bytes.subarray(left));
    } else {
      chain.feed(bytes);
    }
    // Last, because the verifier reuses the buffer.
    verifier?.feed(bytes);
  };
  forEachChunk(file.fd, 0, file.size, visit, () => verifier?.spaceForNext());
  return { hash: chain.digest(), prefix };
}
