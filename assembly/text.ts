/** Whether the string that was skipped last has escapes, so that its bytes are not what it says. */
export let hasEscapes: bool = false;

// In memory and not as constants: the engine would put those together anew in every round.
const quotes = memory.data<u8>([34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34, 34], 16);
const backslashes = memory.data<u8>([92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92], 16);
const highestControls = memory.data<u8>([31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31, 31], 16);
const lettersN = memory.data<u8>([110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110, 110], 16);
const lettersT = memory.data<u8>([116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116, 116], 16);

const quote: u8 = 0x22;
const backslash: u8 = 0x5c;
const oddBits: u64 = 0xaaaaaaaaaaaaaaaa;

/** Of the next 16 bytes, one bit for each that is not plain text: a quote, a backslash or a control character. */
export function findSpecial(at: usize): i32 {
  const bytes = v128.load(at);
  const isEnd = v128.or(i8x16.eq(bytes, v128.load(quotes)), i8x16.eq(bytes, v128.load(backslashes)));
  return i8x16.bitmask(v128.or(isEnd, i8x16.le_u(bytes, v128.load(highestControls))));
}

/** From behind the opening quote to the closing one; 0 when this is no string, or names half a character. */
export function skipText(at: usize): usize {
  hasEscapes = false;
  // Names and ids are short.
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
 * 64 bytes at a time, as long as they hold only plain text, and after a backslash nothing but a quote, n or t: all that is to be
 * known of those is that they are no end. The others are looked at one by one.
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
    // Of each byte, whether a backslash is before it. Whether that one is escaped itself does not matter: two in a row are not passed over.
    const afterA = i8x16.eq(v128.load(at - 1), slashes);
    const afterB = i8x16.eq(v128.load(at, 15), slashes);
    const afterC = i8x16.eq(v128.load(at, 31), slashes);
    const afterD = i8x16.eq(v128.load(at, 47), slashes);
    // A quote that is not escaped, or something else that is.
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
    const end = judge64(at);
    if (v128.any_true(escaped)) hasEscapes = true;
    if (isJudged) return end;
    at = end;
  }
}

/** Whether `judge64` has found what its caller is to return. */
let isJudged: bool = false;

/** At least 64 bytes, one bit for each, whatever is in them: with a branch for each escape it would take several times as long. */
function judge64(at: usize): usize {
  const quoteMarks = v128.load(quotes);
  const slashes = v128.load(backslashes);
  const controls = v128.load(highestControls);
  const n = v128.load(lettersN);
  const t = v128.load(lettersT);
  isJudged = true;
  /** 1 when the byte before these was a backslash that escapes the first of them. */
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
    // Every second one of a row of backslashes escapes what follows it: subtracting carries through each row.
    const begins = slash & ~carried;
    const follows = (((begins << 1) | oddBits) - begins) ^ oddBits;
    const escaped = follows ^ (slash | carried);
    carried = (follows & slash) >> 63;
    const ends = marks & ~escaped;
    /** Those before the closing quote; what comes behind it is not ours to judge. */
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
    // Whoever goes on takes a backslash at the end for one that escapes.
    if (load<u8>(at - 1) != backslash || carried != 0) {
      isJudged = false;
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

/** Of what may follow a backslash, all but the four that `skipLongText` knows. Halves of characters are left to others. */
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
