import * as fc from "fast-check";
import type { Damage } from "./damage.ts";

const anywhere = fc.double({ min: 0, max: 1, noNaN: true });
// Prefers both ends, because uniform positions seldom hit one place twice or leave almost nothing.
const part = fc.oneof(
  { weight: 3, arbitrary: anywhere },
  { weight: 1, arbitrary: anywhere.map((at) => at / 50) },
  { weight: 1, arbitrary: anywhere.map((at) => 1 - at / 50) },
);
const length = fc.integer({ min: 1, max: 3_000 });
const damages: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), at: part }),
  fc.record({ kind: fc.constant("flip" as const), at: part, bit: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ kind: fc.constantFrom("nul" as const, "nul-inserted" as const), at: part, length }),
  fc.record({ kind: fc.constantFrom("glue" as const, "drop" as const, "duplicate" as const), line: part }),
  fc.record({ kind: fc.constant("swap" as const), line: part, with: part }),
);
export const severalDamages = fc.array(damages, { minLength: 1, maxLength: 6 });
