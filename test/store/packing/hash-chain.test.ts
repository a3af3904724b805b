import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { HashChain } from "../../../src/store/packing/hash-chain.ts";

const block = 64 * 1024;

function whole(bytes: Uint8Array): string {
  const chain = HashChain.empty();
  chain.feed(bytes);
  return chain.digest();
}

const content = fc.integer({ min: 0, max: 3 * block }).map((size) => {
  const bytes = new Uint8Array(size);
  for (let index = 0; index < size; index++) bytes[index] = (index * 31 + size) % 251;
  return bytes;
});

test("a chain resumed at any place, in any pieces, gives the hash of the whole", () => {
  fc.assert(
    fc.property(content, fc.array(fc.nat(3 * block), { maxLength: 5 }), (bytes, cuts) => {
      let chain = HashChain.empty();
      let at = 0;
      for (const cut of [...cuts.map((each) => Math.min(each, bytes.length)).sort((a, b) => a - b), bytes.length]) {
        chain.feed(bytes.subarray(at, cut));
        at = cut;
        // As if a new process continued it from the state file.
        chain = HashChain.resume(chain.chain, at, bytes.subarray(HashChain.blockStart(at), at));
      }
      return chain.digest() === whole(bytes) && chain.size === bytes.length;
    }),
    { numRuns: 60 },
  );
});

test("a changed byte anywhere changes the hash", () => {
  const bytes = new Uint8Array(2 * block + 100);
  const before = whole(bytes);
  for (const place of [0, block - 1, block, 2 * block, bytes.length - 1]) {
    bytes[place] = 1;
    expect(whole(bytes)).not.toBe(before);
    bytes[place] = 0;
  }
  expect(whole(bytes)).toBe(before);
});
