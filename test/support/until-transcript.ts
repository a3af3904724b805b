import { existsSync, mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

const patience = 100_000;

/** Waits until some transcript of the sandbox's project holds the text, woken by changes of the directory. */
export async function untilTranscript({ configDir, projectDir }: Sandbox, text: string): Promise<void> {
  const directory = join(configDir, "projects", projectDir.replaceAll(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(directory, { recursive: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = (): void => {
    if (!existsSync(directory)) return;
    const names = readdirSync(directory).filter((name) => name.endsWith(".jsonl") && existsSync(join(directory, name)));
    if (names.some((name) => readFileSync(join(directory, name), "utf8").includes(text))) resolve();
  };
  const deadline = setTimeout(() => reject(new Error(`no transcript ever held ${text}`)), patience);
  const watcher = watch(directory, look);
  look();
  return promise.finally(() => {
    clearTimeout(deadline);
    watcher.close();
  });
}
