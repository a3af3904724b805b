// Starts the dashboard of the built executable, and talks to it as a browser does.
import { executable } from "../executable.ts";

interface Start {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export class StartedDashboard implements AsyncDisposable {
  readonly address: string;
  readonly link: string;
  readonly #process: Bun.Subprocess;

  private constructor(process: Bun.Subprocess, { address, link }: { address: string; link: string }) {
    this.#process = process;
    this.address = address;
    this.link = link;
  }

  static async start({ env, cwd }: Start, words: readonly string[] = ["--port", "0"]): Promise<StartedDashboard> {
    const child = Bun.spawn([executable, "dashboard", "--no-open", "--json", ...words], {
      env: { ...env },
      cwd,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    let text = "";
    for await (const bytes of child.stdout) {
      text += new TextDecoder().decode(bytes);
      if (text.includes("\n")) break;
    }
    if (!text.includes("\n")) throw new Error(`the dashboard did not start: ${await child.stderr.text()}`);
    return new StartedDashboard(child, JSON.parse(text));
  }

  get port(): string {
    return new URL(this.address).port;
  }

  /** A cookie of a link that was not used before. */
  async enter(link: string = this.link): Promise<string> {
    const response = await fetch(link);
    return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  }

  /** Ends the server as Ctrl-C does. */
  async stop(): Promise<number> {
    this.#process.kill("SIGINT");
    return this.#process.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#process.exited;
  }
}
