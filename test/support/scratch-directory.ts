import { afterEach, beforeEach } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty directory for each test of a file, removed after it; returns the path of a name in it. */
export function scratchDirectory(): (name: string) => string {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(realpathSync(tmpdir()), "air-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));
  return (name) => join(directory, name);
}
