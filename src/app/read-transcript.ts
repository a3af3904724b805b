import { startScanner } from "../claude/scanner.ts";
import { type Findings, TranscriptVerifier } from "../claude/verify-transcript.ts";
import { byteTools } from "../io/byte-tools.ts";
import { forEachChunk, type OpenFile, sameStretches } from "../io/read-file.ts";
import { HashChain } from "../store/hash-chain.ts";
import { recallVerified, rememberVerified } from "../store/verified.ts";
import type { TranscriptTarget } from "./choose-transcript.ts";
import type { Environment } from "./environment.ts";

export interface TranscriptReading {
  findings: Findings;
  /** Of the whole file. */
  hash: string;
  /** Of its first `prefixSize` bytes; undefined when there are not as many. */
  prefix: string | undefined;
}

/** A smaller one is verified in the time that it takes to remember it. */
const worthRemembering = 4_000_000;

/** Verifies a transcript in one pass. One that was found clean before, and has not changed since, is only hashed. */
export function readTranscript(
  { paths }: Environment,
  file: OpenFile,
  { path, sessionId }: TranscriptTarget,
  { isLive, prefixSize = 0 }: { isLive: boolean; prefixSize: number | undefined },
): TranscriptReading {
  const isLarge = file.size >= worthRemembering;
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
    scanner: startScanner(),
  });
  const hashes = hashTwice(file, prefixSize, verifier);
  const findings = verifier.finish();
  // While Claude writes, what is unfinished counts for less than it will afterwards.
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
    // At last: its space is used for other things then.
    verifier?.feed(bytes);
  };
  forEachChunk(file.fd, 0, file.size, visit, () => verifier?.spaceForNext());
  return { hash: chain.digest(), prefix };
}
