import { exitCodes } from "../exit-codes.ts";

/**
 * Prevents a stack trace when stdout or stderr cannot be written. A closed pipe, as with `| head`, is not an error. Any other
 * error, such as a full disk, makes the program fail even if the command succeeded.
 */
export function guardStreams(program: string): void {
  let reported = false;
  const notice = (name: string) => (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || reported) return;
    reported = true;
    // At exit, because the command still runs and sets its own exit code.
    process.once("exit", () => {
      process.exitCode ||= exitCodes.failed;
    });
    if (name === "stdout") process.stderr.write(`${program}: cannot write to ${name}: ${error.message}\n`);
  };
  process.stdout.on("error", notice("stdout"));
  process.stderr.on("error", notice("stderr"));
}
