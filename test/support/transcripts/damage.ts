// Kinds of damage to a transcript, as pure functions of its bytes. Positions are fractions of the file, 0 to 1.

export type Damage =
  | { kind: "cut"; at: number }
  | { kind: "flip"; at: number; bit: number }
  | { kind: "nul" | "nul-inserted"; at: number; length: number }
  | { kind: "glue" | "drop" | "duplicate"; line: number }
  | { kind: "swap"; line: number; with: number };

const newline = 0x0a;

export function applyDamage(bytes: Buffer, damage: Damage): Buffer {
  const place = (part: number): number => Math.min(bytes.length - 1, Math.floor(part * bytes.length));
  if (bytes.length === 0) return bytes;
  switch (damage.kind) {
    case "cut":
      return bytes.subarray(0, place(damage.at));
    case "flip": {
      const flipped = Buffer.from(bytes);
      flipped[place(damage.at)] = (bytes[place(damage.at)] ?? 0) ^ (1 << damage.bit);
      return flipped;
    }
    case "nul":
      return Buffer.from(bytes).fill(0, place(damage.at), Math.min(bytes.length, place(damage.at) + damage.length));
    case "nul-inserted": {
      const at = place(damage.at);
      return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(damage.length), bytes.subarray(at)]);
    }
    default:
      return Buffer.concat(damageLines(linesOf(bytes), damage));
  }
}

function damageLines(lines: Buffer[], damage: Extract<Damage, { line: number }>): Buffer[] {
  const index = Math.min(lines.length - 1, Math.floor(damage.line * lines.length));
  const line = lines[index] ?? Buffer.alloc(0);
  switch (damage.kind) {
    case "glue":
      return lines.toSpliced(index, 1, line.at(-1) === newline ? line.subarray(0, -1) : line);
    case "drop":
      return lines.toSpliced(index, 1);
    case "duplicate":
      return lines.toSpliced(index, 0, line);
    case "swap": {
      const other = Math.min(lines.length - 1, Math.floor(damage.with * lines.length));
      return lines.with(index, lines[other] ?? line).with(other, line);
    }
  }
}

/** Lines including their LF; the last one may lack it. */
export function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(newline, start);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(start, next));
    start = next;
  }
  return lines;
}
