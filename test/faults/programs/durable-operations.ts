// Each durable operation with its initial file, the operation itself, and a check for the old or the new content.
import { existsSync, lstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  appendRange,
  copyFile,
  createFile,
  makeDirectory,
  moveFile,
  removeFile,
  replaceFile,
  replaceVerified,
} from "../../../src/io/durable/durable.ts";
import { appendLine } from "../../../src/io/durable/append-line.ts";
import { attempt } from "../../../src/io/durable/durable-error.ts";

export type Operation = {
  /** The affected files, relative to the directory; the temporary file is beside the first. */
  readonly files: readonly [string, ...string[]];
  prepare(directory: string): void;
  perform(directory: string): void;
  /** Throws when the content is neither old nor new. */
  state(directory: string): "old" | "new";
  /** The system calls of a clean run, in the order that makes it safe. */
  readonly calls: readonly string[];
};

const OLD = "the old content, which must never be lost\n";
const TAIL = "a tail that was never acknowledged";
// Two chunks, so that a fault can occur between them.
const NEW = Array.from(
  { length: 5000 },
  (_, line) => `line ${line} of the new content, all of it or nothing at all\n`,
).join("");

const stage = ["open temporary", "write temporary", "write temporary", "fsync temporary"];

export const operations: Readonly<Record<string, Operation>> = {
  replace: {
    files: ["target"],
    prepare: (directory) => writeFileSync(join(directory, "target"), OLD),
    perform: (directory) => replaceFile(join(directory, "target"), NEW),
    state: (directory) => oldOrNew(join(directory, "target"), OLD),
    calls: [...stage, "rename temporary target", "open .", "fsync ."],
  },
  "replace, verified": {
    files: ["target"],
    prepare: (directory) => writeFileSync(join(directory, "target"), OLD),
    perform: (directory) => {
      const source = Buffer.from(NEW);
      const middle = NEW.length / 2;
      const parts = [
        { source, from: 0, to: middle },
        { source, from: middle, to: source.length },
      ];
      const verify = (staged: string): void => {
        if (lstatSync(staged).size !== source.length) throw new Error("the staged file is incomplete");
      };
      replaceVerified(join(directory, "target"), parts, { verify });
    },
    state: (directory) => oldOrNew(join(directory, "target"), OLD),
    calls: [...stage, "rename temporary target", "open .", "fsync ."],
  },
  create: {
    files: ["target"],
    prepare: () => {},
    perform: (directory) => createFile(join(directory, "target"), NEW),
    state: (directory) => oldOrNew(join(directory, "target"), undefined),
    calls: [...stage, "link temporary target", "unlink temporary", "open .", "fsync ."],
  },
  copy: {
    files: ["target", "source"],
    prepare: (directory) => writeFileSync(join(directory, "source"), NEW),
    perform: (directory) => copyFile(join(directory, "source"), join(directory, "target")),
    state: (directory) => {
      if (read(join(directory, "source")) !== NEW) throw new Error("the source has changed");
      return oldOrNew(join(directory, "target"), undefined);
    },
    calls: ["open source", ...stage, "link temporary target", "unlink temporary", "open .", "fsync ."],
  },
  append: {
    files: ["target", "source"],
    prepare: (directory) => {
      writeFileSync(join(directory, "target"), OLD + TAIL);
      writeFileSync(join(directory, "source"), OLD + NEW);
    },
    perform: (directory) => {
      const source = attempt("read", "source", () => openSync(join(directory, "source"), "r"));
      const target = join(directory, "target");
      appendRange({ source, from: OLD.length, to: OLD.length + NEW.length, target, at: OLD.length });
    },
    state: (directory) => {
      const content = read(join(directory, "target"));
      if (content === OLD + NEW) return "new";
      if (content?.startsWith(OLD) === true) return "old";
      throw new Error(`acknowledged bytes are missing: ${content?.slice(0, 60)}`);
    },
    calls: ["open source", "open target", "ftruncate target", "write target", "write target", "fdatasync target"],
  },
  "append to a new file": {
    files: ["target"],
    prepare: () => {},
    perform: (directory) => {
      const source = Buffer.from(NEW);
      appendRange({ source, from: 0, to: source.length, target: join(directory, "target"), at: 0 });
    },
    // Nothing was acknowledged, so any other content counts as old.
    state: (directory) => (read(join(directory, "target")) === NEW ? "new" : "old"),
    calls: ["open target", "write target", "write target", "fdatasync target", "open .", "fsync ."],
  },
  // Other processes may append at the same time, so each line is a single write, and a retry may add a second line.
  "append a line": {
    files: ["target"],
    prepare: (directory) => writeFileSync(join(directory, "target"), OLD),
    perform: (directory) => appendLine(join(directory, "target"), "a line"),
    state: (directory) => {
      const content = read(join(directory, "target")) ?? "";
      if (!content.startsWith(OLD) || !/^(a line\n)*$/.test(content.slice(OLD.length))) throw new Error(content);
      return content === OLD ? "old" : "new";
    },
    calls: ["open target", "fdatasync target"],
  },
  move: {
    files: ["here/file", "there/file"],
    prepare: (directory) => {
      mkdirSync(join(directory, "here"));
      mkdirSync(join(directory, "there"));
      writeFileSync(join(directory, "here/file"), NEW);
    },
    perform: (directory) => {
      // Like a real caller, does not move a file that has already moved.
      if (existsSync(join(directory, "here/file")))
        moveFile(join(directory, "here/file"), join(directory, "there/file"));
    },
    state: (directory) => {
      const [here, there] = ["here", "there"].map((name) => read(join(directory, name, "file")));
      if (here === NEW && there === undefined) return "old";
      if (here === undefined && there === NEW) return "new";
      throw new Error("the file is in both directories, in neither, or damaged");
    },
    calls: ["rename here/file there/file", "open there", "fsync there", "open here", "fsync here"],
  },
  remove: {
    files: ["target"],
    prepare: (directory) => writeFileSync(join(directory, "target"), OLD),
    perform: (directory) => void removeFile(join(directory, "target")),
    state: (directory) => {
      const content = read(join(directory, "target"));
      if (content !== undefined && content !== OLD) throw new Error("the file is damaged");
      return content === undefined ? "new" : "old";
    },
    calls: ["unlink target", "open .", "fsync ."],
  },
  "make a directory": {
    files: ["one/two", "one"],
    prepare: () => {},
    perform: (directory) => makeDirectory(join(directory, "one/two")),
    state: (directory) => {
      const stats = lstatSync(join(directory, "one/two"), { throwIfNoEntry: false });
      if (stats !== undefined && (stats.mode & 0o777) !== 0o700)
        throw new Error("other users can access the directory");
      return stats === undefined ? "old" : "new";
    },
    calls: ["mkdir one", "open .", "fsync .", "mkdir one/two", "open one", "fsync one", "open one/two"],
  },
};

function oldOrNew(path: string, old: string | undefined): "old" | "new" {
  const content = read(path);
  if (content === old) return "old";
  if (content === NEW) return "new";
  throw new Error(`neither old nor new: ${JSON.stringify(content?.slice(0, 60))} of ${content?.length} characters`);
}

function read(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
