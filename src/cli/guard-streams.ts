import { exitCodes } from "./exit-codes.ts";

/**
 * What cannot be printed must not end in a stack trace. A reader that has left, like head, is no error; anything else, like a
 * full disk, is a failure whatever the command itself came to.
 */
export function guardStreams(program: string): void {
  let told = false;
  const notice = (name: string) => (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || told) return;
    told = true;
    // At the very end: the command is still at work, and sets an exit code of its own.
    process.once("exit", () => {
      process.exitCode ||= exitCodes.failed;
    });
    if (name === "stdout") process.stderr.write(`${program}: cannot write to ${name}: ${error.message}\n`);
  };
  process.stdout.on("error", notice("stdout"));
  process.stderr.on("error", notice("stderr"));
}
