import type { Sealer } from "../../io/seal/seal.ts";

// Names for people. The database holds them encrypted, bound to what they name.

export function sealLabel(sealer: Sealer, id: string, label: object): Buffer {
  return sealer.seal(new TextEncoder().encode(JSON.stringify(label)), `label|${id}`);
}

/** Undefined when it was changed, or belongs to something else. */
export function openLabel(sealer: Sealer, id: string, sealed: Uint8Array): Record<string, unknown> | undefined {
  const opened = sealer.open(sealed, `label|${id}`);
  if (!opened) return undefined;
  const value: unknown = JSON.parse(opened.toString());
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
