import { executable } from "../executable.ts";

interface Asking {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Part of the question that the answer waits for. */
  readonly question: string;
  readonly answer: string;
}

/** Runs our executable on a terminal and answers its question once. */
export async function answerQuestion(
  words: readonly string[],
  { env, cwd, question, answer }: Asking,
): Promise<{ exitCode: number; screen: string }> {
  let screen = "";
  let answered = false;
  const child = Bun.spawn([executable, ...words], {
    env: { ...env, TERM: "xterm" },
    cwd,
    terminal: {
      cols: 160,
      rows: 40,
      data: (terminal, bytes) => {
        screen += new TextDecoder().decode(bytes);
        if (answered || !screen.includes(question)) return;
        answered = true;
        terminal.write(`${answer}\r`);
      },
    },
  });
  return { exitCode: await child.exited, screen };
}
