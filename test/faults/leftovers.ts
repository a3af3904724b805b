import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** Lists temporary files that a kill left behind. */
export function leftovers(root: string): string[] {
  const names = ["home", "bin"].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: "utf8" }).map((name) => join(part, name)),
  );
  return names.filter((name) => /\.tmp-\d+-\d+$/.test(name)).map((name) => join(root, name));
}

/** Makes leftovers old, because young ones may belong to a running command and are kept. */
export function ageLeftovers(root: string): void {
  const old = new Date(Date.now() - 2 * 86_400_000);
  for (const path of leftovers(root)) if (existsSync(path)) utimesSync(path, old, old);
}
