import { skipText } from "./text";

/** The open objects and arrays must fit into 64 bits. */
const maxDepth = 60;

/** Skips blanks. A line feed is not a blank, because it ends the line. */
export function skipBlanks(at: usize): usize {
  let byte = load<u8>(at);
  while (byte <= 0x20 && (byte == 0x20 || byte == 0x09 || byte == 0x0d)) byte = load<u8>(++at);
  return at;
}

/** Goes from the first byte of a value to its end; 0 when it is not a value, or nested too deeply. */
export function skipValue(at: usize): usize {
  let depth = 0;
  /** One bit for each open container, the innermost lowest: 1 for an object, 0 for an array. */
  let objects: u64 = 0;
  while (true) {
    const first = load<u8>(at);
    if (first == 0x22 /* " */) {
      at = skipText(at + 1);
      if (at == 0) return 0;
      at++;
    } else if (first == 0x7b /* { */ || first == 0x5b /* [ */) {
      at = skipBlanks(at + 1);
      if (load<u8>(at) != first + 2) {
        if (depth == maxDepth) return 0;
        depth++;
        objects = (objects << 1) | (<u64>(first == 0x7b));
        if (first == 0x7b) at = skipKey(at);
        if (at == 0) return 0;
        continue;
      }
      at++;
    } else {
      at = skipScalar(at);
      if (at == 0) return 0;
    }
    while (true) {
      if (depth == 0) return at;
      at = skipBlanks(at);
      const next = load<u8>(at);
      const isObject = (objects & 1) != 0;
      if (next == 0x2c /* , */) {
        at = skipBlanks(at + 1);
        if (isObject) at = skipKey(at);
        if (at == 0) return 0;
        break;
      }
      if (next != (isObject ? 0x7d : 0x5d) /* } ] */) return 0;
      at++;
      depth--;
      objects >>= 1;
    }
  }
}

function skipKey(at: usize): usize {
  if (load<u8>(at) != 0x22 /* " */) return 0;
  at = skipText(at + 1);
  return at == 0 ? 0 : skipColon(at + 1);
}

/** Goes from the end of a key to its value. */
export function skipColon(at: usize): usize {
  at = skipBlanks(at);
  return load<u8>(at) == 0x3a /* : */ ? skipBlanks(at + 1) : 0;
}

function skipScalar(at: usize): usize {
  const first = load<u8>(at);
  if (first == 0x74 /* t */) return load<u32>(at) == 0x65757274 /* true */ ? at + 4 : 0;
  if (first == 0x66 /* f */) return load<u32>(at, 1) == 0x65736c61 /* alse */ ? at + 5 : 0;
  if (first == 0x6e /* n */) return load<u32>(at) == 0x6c6c756e /* null */ ? at + 4 : 0;
  return skipNumber(first == 0x2d /* - */ ? at + 1 : at);
}

function skipNumber(at: usize): usize {
  const whole = skipDigits(at);
  // Only a point or an exponent may follow a leading zero.
  if (whole == at || (load<u8>(at) == 0x30 && whole != at + 1)) return 0;
  at = whole;
  if (load<u8>(at) == 0x2e /* . */) {
    const fraction = skipDigits(at + 1);
    if (fraction == at + 1) return 0;
    at = fraction;
  }
  if ((load<u8>(at) | 0x20) == 0x65 /* e */) {
    const sign = load<u8>(at, 1);
    const from = at + (sign == 0x2b || sign == 0x2d /* + - */ ? 2 : 1);
    at = skipDigits(from);
    if (at == from) return 0;
  }
  return at;
}

function skipDigits(at: usize): usize {
  while (<u32>load<u8>(at) - 0x30 < 10) at++;
  return at;
}
