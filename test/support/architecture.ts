// The rooms of src (docs/DESIGN.md): which of them a room may import, and what its code must not use.

export interface SourceFile {
  path: string;
  text: string;
}

interface Room {
  /** Rooms it may import; `types:` allows type-only imports, and a file name allows only that file. */
  imports: readonly string[];
  /** What its code must not contain. */
  forbidden: readonly RegExp[];
}

const uses = {
  bun: /\bBun\.|\bfrom "bun(:[a-z]+)?"/,
  node: /["']node:[a-z/]+["']/,
  files: /["']node:fs(\/promises)?["']|\bBun\.(file|write)\b/,
  processes: /["']node:child_process["']|\bBun\.spawn(Sync)?\b/,
  process: /\bprocess\./,
  clock: /\bDate\.now\(|\bnew Date\(\)|\bperformance\./,
  random: /\bMath\.random\(|\bcrypto\./,
  exit: /\bprocess\.exit(Code)?\b/,
  argv: /\bprocess\.argv/,
  system: /\bprocess\.platform\b/,
  os: /["']node:os["']/,
  /** Text of strangers must never become HTML. */
  html: /dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(/,
  colors: /["'](picocolors|consola)/,
  sql: /\bBun\.(SQL|sql|postgres)\b|\b(SELECT|INSERT INTO|UPDATE|DELETE FROM) [a-z_$*]/,
  writers:
    /\b(writeFileSync|appendFileSync|writeSync|renameSync|truncateSync|ftruncateSync|copyFileSync|linkSync|symlinkSync|cpSync|chmodSync|createWriteStream|mkdirSync|rmSync|rmdirSync|unlinkSync)\b|\bBun\.write\(|["']node:fs\/promises["']/,
} as const;

const pure = [uses.bun, uses.node, uses.process, uses.clock, uses.random];

/** Small pure helpers that every room may import. */
const leaves = [
  "core/message-of.ts",
  "core/variables.ts",
  "core/posix-quote.ts",
  "core/duration.ts",
  "core/wall-clock.ts",
];

const rooms: Record<string, Room> = {
  main: { imports: ["cli"], forbidden: [uses.files, uses.processes] },
  cli: {
    imports: ["cli", "app", "types:core", "core/failure.ts", "core/version.ts", "claude/argv/flags.ts", ...leaves],
    forbidden: [uses.files, uses.processes, uses.writers],
  },
  app: {
    imports: ["app", "core", "claude", "store", "hub", "io", "shims", "plugin", "web/index.html"],
    forbidden: [uses.exit, uses.argv, uses.system, uses.os, uses.colors, uses.writers, uses.sql],
  },
  core: { imports: ["core"], forbidden: pure },
  claude: { imports: ["claude", "types:core", ...leaves], forbidden: pure },
  store: { imports: ["store", "core", "io"], forbidden: [uses.exit, uses.argv, uses.system, uses.writers, uses.sql] },
  hub: { imports: ["hub", "core", "io"], forbidden: [uses.exit, uses.argv, uses.system, uses.writers, uses.files] },
  web: {
    imports: ["web", "types:core", "core/dashboard/contract.ts", ...leaves],
    forbidden: [uses.bun, uses.node, uses.process, uses.html],
  },
  io: { imports: ["io", "platform", ...leaves], forbidden: [uses.exit, uses.argv, uses.system] },
  platform: { imports: ["platform", ...leaves], forbidden: [uses.exit, uses.argv] },
};

/** The folders of `app`: a folder imports only earlier ones. Files directly in `app` come before all folders. */
export const appFolders = [
  "notify",
  "session",
  "cost",
  "snapshot",
  "files",
  "maintenance",
  "backfill",
  "search",
  "repair",
  "resume",
  "hub",
  "checkpoint",
  "hook",
  "cclaude",
  "run-records",
  "run",
  "queue",
  "fleet",
  "hosted-claude",
  "host",
  "service",
  "rehome",
  "recovery",
  "install",
  "doctor",
  "dashboard",
  "demo",
];

/** The search index is an SQLite file, so its statements are there, and PostgreSQL's in `hub`. */
const searchIndex = /^src\/store\/index\//;

/** Only these files write state. */
const durableFiles = /^src\/io\/durable\/[a-z-]+\.ts$/;

/** Every rule of the rooms that these files break, as `path: what is wrong`. */
export function violations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => problemsIn(file).map((problem) => `${file.path}: ${problem}`));
}

function problemsIn({ path, text }: SourceFile): string[] {
  const name = roomOf(path);
  const room = rooms[name];
  if (!room) return [`src has no room "${name}"`];
  if (appRank(path) === undefined) return [`the order of app's folders does not contain "${path.split("/")[2]}"`];
  const code = withoutComments(text);
  const imports = findImports(code)
    .filter((found) => found.specifier.startsWith("."))
    .map(({ specifier, typeOnly }) => ({ target: resolve(path, specifier), typeOnly }))
    .filter(({ target, typeOnly }) => !allows(room, target, typeOnly) || isBackEdge(path, target))
    .map(({ target }) => `must not import ${target}`);
  const patterns = room.forbidden.filter((pattern) => pattern !== uses.sql || !searchIndex.test(path));
  const forbidden = patterns.flatMap((pattern) => {
    const found = pattern.exec(code)?.[0];
    return found === undefined ? [] : [`${name} must not use ${found}`];
  });
  const writes = name === "io" && !durableFiles.test(path) && uses.writers.test(code);
  return [...imports, ...forbidden, ...(writes ? ["only src/io/durable may write files"] : [])];
}

function roomOf(path: string): string {
  const [, first = ""] = path.split("/");
  return first === "main.ts" ? "main" : first;
}

/**
 * Position of a file in the order of app's folders: -1 directly in `app`, Infinity outside of `app`, undefined in a folder
 * that is not in the order.
 */
function appRank(path: string): number | undefined {
  const [, room, folder = "", ...inside] = path.split("/");
  if (room !== "app") return Infinity;
  if (inside.length === 0) return -1;
  const rank = appFolders.indexOf(folder);
  return rank < 0 ? undefined : rank;
}

/** A file in `app` imports a folder of `app` that comes later in the order. */
function isBackEdge(from: string, target: string): boolean {
  return roomOf(target) === "app" && (appRank(target) ?? 0) > (appRank(from) ?? 0);
}

function allows(room: Room, target: string, typeOnly: boolean): boolean {
  const inside = target.replace(/^src\//, "");
  const name = inside.split("/")[0] ?? "";
  return room.imports.some((entry) => entry === name || entry === inside || (typeOnly && entry === `types:${name}`));
}

function findImports(code: string): { specifier: string; typeOnly: boolean }[] {
  const found: { specifier: string; typeOnly: boolean }[] = [];
  for (const match of code.matchAll(/\b(?:import|export)\b([^;"']*?)\bfrom\s*["']([^"']+)["']/g)) {
    const names = match[1] ?? "";
    const inline = /^\s*\{([^}]*)\}\s*$/
      .exec(names)?.[1]
      ?.split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    const typeOnly = /^\s*type\b/.test(names) || (inline?.every((name) => name.startsWith("type ")) ?? false);
    found.push({ specifier: match[2] ?? "", typeOnly });
  }
  for (const match of code.matchAll(/\bimport\s*\(?\s*["']([^"']+)["']/g)) {
    found.push({ specifier: match[1] ?? "", typeOnly: false });
  }
  return found;
}

function resolve(from: string, relative: string): string {
  return new URL(relative, `file:///${from}`).pathname.slice(1);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
