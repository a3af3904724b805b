/** Whether the last skipped string has escapes, so that its bytes differ from its text. */
export let hasEscapes: bool = false;

// In memory, because the engine would rebuild constants in every iteration.
const quotes = memory.data<u8>([34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34], 16);
const backslashes = memory.data<u8>([92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92], 16);
const highestControls = memory.data<u8>([31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31], 16);
const lettersN = memory.data<u8>([110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110], 16);
const lettersT = memory.data<u8>([116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116], 16);

const quote: u8 = 0x22;
const backslash: u8 = 0x5c;
const oddBits: u64 = 0xaaaaaaaaaaaaaaaa;

/** One bit for each of the next 16 bytes that is a quote, a backslash or a control character. */
export function findSpecial(at: usize): i32 {
  const bytes = v128.load(at);
  const isEnd = v128.or(i8x16.eq(bytes, v128.load(quotes)), i8x16.eq(bytes, v128.load(backslashes)));
  return i8x16.bitmask(v128.or(isEnd, i8x16.le_u(bytes, v128.load(highestControls))));
}

/** Goes from after the opening quote to the closing one; 0 when this is not a string, or it has an escaped surrogate. */
export function skipText(at: usize): usize {
  hasEscapes = false;
  // Names and ids are short, so the first 48 bytes have a simple loop.
  for (let step = 0; step < 3; step++) {
    const special = findSpecial(at);
    if (special != 0) {
      at += <usize>ctz(special);
      const byte = load<u8>(at);
      if (byte == quote) return at;
      return byte == backslash ? skipLongText(at) : 0;
    }
    at += 16;
  }
  return skipLongText(at);
}

/**
 * Skips 64 bytes at a time while they contain only plain text and the escapes of a quote, n and t, which cannot end the string.
 * `scanExactly` handles all other blocks.
 */
function skipLongText(at: usize): usize {
  const quoteMarks = v128.load(quotes);
  const slashes = v128.load(backslashes);
  const controls = v128.load(highestControls);
  const n = v128.load(lettersN);
  const t = v128.load(lettersT);
  let escaped = i8x16.splat(0);
  while (true) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    // Whether each byte follows a backslash. An escaped backslash need not be considered, because two in a row count as odd.
    const afterA = i8x16.eq(v128.load(at - 1), slashes);
    const afterB = i8x16.eq(v128.load(at, 15), slashes);
    const afterC = i8x16.eq(v128.load(at, 31), slashes);
    const afterD = i8x16.eq(v128.load(at, 47), slashes);
    // An unescaped quote, or an escaped byte other than quote, n and t.
    const oddA = v128.andnot(v128.xor(i8x16.eq(a, quoteMarks), afterA), either(a, n, t));
    const oddB = v128.andnot(v128.xor(i8x16.eq(b, quoteMarks), afterB), either(b, n, t));
    const oddC = v128.andnot(v128.xor(i8x16.eq(c, quoteMarks), afterC), either(c, n, t));
    const oddD = v128.andnot(v128.xor(i8x16.eq(d, quoteMarks), afterD), either(d, n, t));
    const lowest = i8x16.min_u(i8x16.min_u(a, b), i8x16.min_u(c, d));
    const odd = v128.or(v128.or(oddA, oddB), v128.or(oddC, oddD));
    if (!v128.any_true(v128.or(odd, i8x16.le_u(lowest, controls)))) {
      escaped = v128.or(escaped, v128.or(v128.or(afterA, afterB), v128.or(afterC, afterD)));
      at += 64;
      continue;
    }
    const end = scanExactly(at);
    if (v128.any_true(escaped)) hasEscapes = true;
    if (isFinished) return end;
    at = end;
  }
}

/** Whether the result of `scanExactly` is final: the end of the string, or 0. */
let isFinished: bool = false;

/** Scans at least 64 bytes of any content with bit masks, which is several times faster than a branch for each escape. */
function scanExactly(at: usize): usize {
  const quoteMarks = v128.load(quotes);
  const slashes = v128.load(backslashes);
  const controls = v128.load(highestControls);
  const n = v128.load(lettersN);
  const t = v128.load(lettersT);
  isFinished = true;
  /** 1 when the previous byte is a backslash that escapes the first byte. */
  let carried: u64 = <u64>(load<u8>(at - 1) == backslash);
  while (true) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const marks = bits(
      i8x16.eq(a, quoteMarks),
      i8x16.eq(b, quoteMarks),
      i8x16.eq(c, quoteMarks),
      i8x16.eq(d, quoteMarks),
    );
    const slash = bits(i8x16.eq(a, slashes), i8x16.eq(b, slashes), i8x16.eq(c, slashes), i8x16.eq(d, slashes));
    // Every second backslash of a run escapes the next byte. The subtraction carries through each run.
    const begins = slash & ~carried;
    const follows = (((begins << 1) | oddBits) - begins) ^ oddBits;
    const escaped = follows ^ (slash | carried);
    carried = (follows & slash) >> 63;
    const ends = marks & ~escaped;
    /** The bytes before the closing quote; later bytes are not part of the string. */
    const ours: u64 = ends != 0 ? (ends & (0 - ends)) - 1 : -1;
    const low = bits(
      i8x16.le_u(a, controls),
      i8x16.le_u(b, controls),
      i8x16.le_u(c, controls),
      i8x16.le_u(d, controls),
    );
    if ((low & ours) != 0) return 0;
    const isPlain = bits(either(a, n, t), either(b, n, t), either(c, n, t), either(d, n, t)) | marks | slash;
    for (let unusual = escaped & ~isPlain & ours; unusual != 0; unusual &= unusual - 1) {
      if (!isUnusualEscape(at + <usize>ctz(unusual))) return 0;
    }
    if (((slash | escaped) & ours) != 0) hasEscapes = true;
    if (ends != 0) return at + <usize>ctz(ends);
    at += 64;
    // `skipLongText` would treat a backslash at the end of this block as an escape, so only a real one may be there.
    if (load<u8>(at - 1) != backslash || carried != 0) {
      isFinished = false;
      return at;
    }
  }
}

function bits(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = <u64>((<u32>i8x16.bitmask(a)) | ((<u32>i8x16.bitmask(b)) << 16));
  const high = <u64>((<u32>i8x16.bitmask(c)) | ((<u32>i8x16.bitmask(d)) << 16));
  return low | (high << 32);
}

function either(bytes: v128, one: v128, other: v128): v128 {
  return v128.or(i8x16.eq(bytes, one), i8x16.eq(bytes, other));
}

/** A valid escape other than those that `skipLongText` handles. Surrogates are left to the parser. */
function isUnusualEscape(at: usize): bool {
  const letter = load<u8>(at);
  if (letter != 0x75 /* u */) return letter == 0x62 || letter == 0x66 || letter == 0x72 || letter == 0x2f; /* b f r / */
  const first = load<u8>(at, 1);
  if ((first | 0x20) == 0x64 /* d */) return false;
  return isHex(first) && isHex(load<u8>(at, 2)) && isHex(load<u8>(at, 3)) && isHex(load<u8>(at, 4));
}

function isHex(byte: u32): bool {
  return byte - 0x30 < 10 || (byte | 0x20) - 0x61 < 6;
}
