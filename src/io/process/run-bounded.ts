import { platform } from "../../platform/current.ts";
import type { Variables } from "../../core/variables.ts";

export type BoundedEnd =
  | { readonly kind: "exited"; readonly exitCode: number }
  | { readonly kind: "late" }
  | { readonly kind: "not-started"; readonly error: unknown };

/** Runs a program in its own process group, discards its output, and kills the whole group when it takes too long. */
export async function runBounded(
  words: readonly string[],
  { variables, stdin, milliseconds }: { variables: Variables; stdin: string; milliseconds: number },
): Promise<BoundedEnd> {
  let child;
  try {
    child = Bun.spawn([...words], {
      env: variables,
      stdin: new TextEncoder().encode(stdin),
      stdout: "ignore",
      stderr: "ignore",
      detached: true,
    });
  } catch (error) {
    return { kind: "not-started", error };
  }
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), milliseconds);
  const first = await Promise.race([child.exited, late.promise]);
  clearTimeout(timer);
  if (first !== "late") return { kind: "exited", exitCode: first };
  platform.killGroup(child.pid);
  child.unref();
  return { kind: "late" };
}
