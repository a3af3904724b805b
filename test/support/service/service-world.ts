import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommandResult } from "../run-program.ts";
import { InstalledWorld } from "../worlds/installed-world.ts";

/** Records each call; `show` prints the file `state`; the call whose number is in the file `fails` fails. */
const systemctl = `#!/bin/sh
[ "$2" = show ] && { cat "$CONTROL/state" 2>/dev/null; exit 0; }
printf '%s\\n' "$*" >> "$CONTROL/calls"
[ "$2" = restart ] && [ -e "$CONTROL/on-restart" ] && . "$CONTROL/on-restart"
[ -e "$CONTROL/fails" ] && [ "$(wc -l < "$CONTROL/calls")" = "$(cat "$CONTROL/fails")" ] && { cat "$CONTROL/error" >&2 2>/dev/null || echo "no such luck" >&2; exit 1; }
exit 0
`;

/** Records the directory and arguments of each start, and ends as the control files say. */
const claude = `#!/bin/sh
n=0; while [ -e "$CONTROL/start.$n" ]; do n=$((n+1)); done
{ pwd; for word in "$@"; do printf '%s\\0' "$word"; done; } > "$CONTROL/start.$n.part"
env > "$CONTROL/environment"
tty > "$CONTROL/terminal"
mv "$CONTROL/start.$n.part" "$CONTROL/start.$n"
if [ -e "$CONTROL/stays" ]; then trap 'exit 143' TERM; while :; do read -r line || sleep 0.05; done; fi
[ -e "$CONTROL/signal" ] && kill -"$(cat "$CONTROL/signal")" $$
exit "$(cat "$CONTROL/code" 2>/dev/null || echo 0)"
`;

export interface StartedClaude {
  readonly directory: string;
  readonly words: readonly string[];
}

/** A service whose files are written but which systemd does not know. */
export interface PlacedService {
  readonly slug: string;
  readonly wrapper: string;
  readonly log: string;
}

/** A home with our executable and scripts in place of claude and systemctl that record how they were called. */
export class ServiceWorld implements Disposable {
  readonly #world = new InstalledWorld();
  readonly home = this.#world.home;
  readonly program = this.#world.program;
  readonly workspace = this.#world.directory;
  readonly control = join(this.home, "control");
  readonly env: Record<string, string>;

  constructor() {
    mkdirSync(this.control);
    for (const [name, text] of Object.entries({ systemctl, claude })) {
      writeFileSync(join(this.#world.bin, name), text);
      chmodSync(join(this.#world.bin, name), 0o755);
    }
    this.env = {
      PATH: `${this.#world.bin}:/usr/bin:/bin`,
      CONTROL: this.control,
      XDG_RUNTIME_DIR: join(this.home, "run"),
    };
    mkdirSync(this.env["XDG_RUNTIME_DIR"] ?? "", { mode: 0o700 });
  }

  run(...words: string[]): Promise<CommandResult> {
    return this.#world.runWith("", words, { env: this.env });
  }

  /** Writes a control file, which the two scripts read. */
  writeControl(name: string, text: string): void {
    writeFileSync(join(this.control, name), text);
  }

  /** The calls of systemctl since the last call of this function. */
  calls(): string[] {
    const path = join(this.control, "calls");
    const lines = existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
    if (existsSync(path)) writeFileSync(path, "");
    return lines.filter((line) => line !== "");
  }

  starts(): StartedClaude[] {
    const names = readdirSync(this.control).filter((name) => /^start\.\d+$/.test(name));
    return names.sort().map((name) => {
      const text = readFileSync(join(this.control, name), "utf8");
      const end = text.indexOf("\n");
      return {
        directory: text.slice(0, end),
        words: text
          .slice(end + 1)
          .split("\0")
          .slice(0, -1),
      };
    });
  }

  /** Writes the files of a service plan, as install would, without starting the service. */
  async place(...words: string[]): Promise<PlacedService> {
    const { stdout } = await this.run("service", "plan", "--json", "--env", "CONTROL", ...words);
    const { files } = JSON.parse(stdout) as { files: { path: string; content: string; mode: string }[] };
    for (const { path, content, mode } of files) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, content, { mode: Number.parseInt(mode, 8) });
    }
    const record = files[0]?.path ?? "";
    return {
      slug: /([^/]+)\.json$/.exec(record)?.[1] ?? "",
      wrapper: files[1]?.path ?? "",
      log: record.replace(/json$/, "log"),
    };
  }

  /** Starts the service as systemd would: with a minimal environment, in another directory, with the unit's umask. */
  start({ wrapper }: PlacedService, env: Record<string, string> = {}) {
    return Bun.spawn(["/bin/sh", "-c", 'umask 0077; exec /bin/sh "$0"', wrapper], {
      cwd: "/",
      env: { HOME: this.home, XDG_RUNTIME_DIR: this.env["XDG_RUNTIME_DIR"] ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Mode and content of every file in the home except those of the scripts. */
  files(): Record<string, string> {
    const entries = readdirSync(this.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(this.control) && !path.startsWith(this.#world.bin));
    return Object.fromEntries(
      entries.map((path) => [path, `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, "utf8")}`]),
    );
  }

  [Symbol.dispose](): void {
    this.#world[Symbol.dispose]();
  }
}

export const running =
  "LoadState=loaded\nActiveState=active\nSubState=running\nMainPID=42\nNRestarts=0\nResult=success\n";
export const gone =
  "LoadState=not-found\nActiveState=inactive\nSubState=dead\nMainPID=0\nNRestarts=0\nResult=success\n";
