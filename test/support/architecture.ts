export interface SourceFile {
  path: string;
  text: string;
}

interface Room {
  /** Rooms it may import; `types:` allows type-only imports, and a file name just that file. */
  imports: readonly string[];
  /** What its text must not contain: the things it must not know. */
  forbidden: readonly RegExp[];
}

const words = {
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
  colours: /["'](picocolors|consola)/,
  writers:
    /\b(writeFileSync|appendFileSync|writeSync|renameSync|truncateSync|ftruncateSync|copyFileSync|linkSync|symlinkSync|cpSync|chmodSync|createWriteStream|mkdirSync|rmSync|rmdirSync|unlinkSync)\b|\bBun\.write\(|["']node:fs\/promises["']/,
} as const;

const pure = [words.bun, words.node, words.process, words.clock, words.random];

const rooms: Record<string, Room> = {
  main: { imports: ["cli"], forbidden: [words.files, words.processes] },
  cli: {
    imports: ["cli", "app", "types:core", "core/failure.ts", "core/version.ts", "claude/flags.ts"],
    forbidden: [words.files, words.processes, words.writers],
  },
  app: {
    imports: ["app", "core", "claude", "store", "io", "shims", "plugin"],
    forbidden: [words.exit, words.argv, words.system, words.os, words.colours, words.writers],
  },
  core: { imports: ["core"], forbidden: pure },
  claude: { imports: ["claude", "types:core"], forbidden: pure },
  store: { imports: ["store", "core", "io"], forbidden: [words.exit, words.argv, words.system, words.writers] },
  io: { imports: ["io", "platform"], forbidden: [words.exit, words.argv, words.system] },
  platform: { imports: ["platform"], forbidden: [words.exit, words.argv] },
};

/** The one writer of state, in its files; and the maker of scratch directories, which hold no state. */
const writers = /^src\/io\/(durable[a-z-]*|scratch-directory)\.ts$/;

export function violations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path);
    const rules = rooms[room];
    if (!rules) return [`${file.path}: there is no room "${room}" in the house`];
    const code = withoutComments(file.text);
    const imports = findImports(code)
      .filter((found) => found.path.startsWith("."))
      .map(({ path, typeOnly }) => ({ typeOnly, target: resolve(file.path, path) }))
      .filter((found) => !allows(rules, found.target, found.typeOnly))
      .map((found) => `${file.path}: ${room} must not import ${found.target}`);
    const forbidden = rules.forbidden
      .filter((pattern) => pattern.test(code))
      .map((pattern) => `${file.path}: ${room} must not know ${pattern.exec(code)?.[0]}`);
    const second = room === "io" && !writers.test(file.path) && words.writers.test(code);
    return [...imports, ...forbidden, ...(second ? [`${file.path}: writes beside io/durable.ts`] : [])];
  });
}

function roomOf(path: string): string {
  const [, first = ""] = path.split("/");
  return first === "main.ts" ? "main" : first;
}

function allows(rules: Room, target: string, typeOnly: boolean): boolean {
  const inside = target.replace(/^src\//, "");
  const room = inside.split("/")[0] ?? "";
  return rules.imports.some((entry) => entry === room || entry === inside || (typeOnly && entry === `types:${room}`));
}

function findImports(code: string): { path: string; typeOnly: boolean }[] {
  const found: { path: string; typeOnly: boolean }[] = [];
  for (const match of code.matchAll(/\b(?:import|export)\b([^;"']*?)\bfrom\s*["']([^"']+)["']/g)) {
    const names = match[1] ?? "";
    const inline = /^\s*\{([^}]*)\}\s*$/
      .exec(names)?.[1]
      ?.split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    const typeOnly = /^\s*type\b/.test(names) || (inline?.every((name) => name.startsWith("type ")) ?? false);
    found.push({ path: match[2] ?? "", typeOnly });
  }
  for (const match of code.matchAll(/\bimport\s*\(?\s*["']([^"']+)["']/g)) {
    found.push({ path: match[1] ?? "", typeOnly: false });
  }
  return found;
}

function resolve(from: string, relative: string): string {
  return new URL(relative, `file:///${from}`).pathname.slice(1);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
