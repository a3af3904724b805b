import type { Environment } from "../../../app/environment.ts";
import { findAttachable, listLive } from "../../../app/host/find-attachable.ts";
import { ensureDispatcher } from "../../../app/queue/dispatcher.ts";
import { runPathsOf } from "../../../app/run-records/register-run.ts";
import { orFleet, showFleetOutput } from "../../run-view/follow-fleet.ts";
import { followHeadless } from "../../run-view/follow-headless.ts";
import { showHosted } from "../../messages/host-messages.ts";
import { Failure } from "../../../core/failure.ts";
import { exitCodes } from "../../exit-codes.ts";
import type { Output } from "../../output.ts";
import { askForProgram } from "../../run-list/ask-for-program.ts";
import { defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows a run live, with its output so far; detaching does not stop it",
  details: `For a task, it shows the output so far and then new output; Ctrl-C detaches. An interactive claude appears as if it
had been started here: it gets every key, Ctrl-C too, and Ctrl-\\ d detaches. Several terminals can be attached at
once; the smallest one sets the size. Without an id, and with several programs running, it shows a list to choose from.`,
  args: {
    run: {
      type: "positional",
      required: false,
      description: "id, or the start or end of it; default: the only one that is running, or a list",
    },
  },
  examples: [
    ["ai-runtime attach", "shows what is running, from any directory; of several, you choose one"],
    ["ai-runtime attach k3f9", "finds a run by the end of its id"],
  ],
  async run(args, output, { environment }) {
    const paths = runPathsOf(environment);
    const id = args.run ?? choose(environment, output);
    if (id === "quit") return exitCodes.stopped;
    const found = await orFleet<ReturnType<typeof findAttachable> | number>(
      () => findAttachable(environment, paths, id),
      async () => (id === undefined ? undefined : showFleetOutput(environment, id, output, true)),
    );
    if (typeof found === "number") return found;
    if (found.kind === "headless") {
      const { plan, status } = found.record;
      if (status.phase === "queued") {
        ensureDispatcher(environment);
        output.note(`Run ${plan.id} is queued; its output follows when it starts. Ctrl-C leaves it in the queue.`);
      }
      return followHeadless(paths, plan.id, output);
    }
    return showHosted(environment, found.record.plan.id);
  },
});

/** The id of the program that the user chooses among several; undefined when there is nothing to choose. */
function choose(environment: Environment, output: Output): string | undefined {
  const programs = listLive(environment, runPathsOf(environment));
  const [newest] = programs;
  if (!newest || programs.length === 1) return undefined;
  if (output.canAsk && output.isTerminal) {
    const place = { home: environment.home, cwd: environment.cwd, now: Date.now() };
    return askForProgram(programs, output, place, process.stderr)?.id ?? "quit";
  }
  // The output of a run needs no terminal.
  if (newest.state.kind === "headless") return undefined;
  const ids = programs.map(({ id }) => id).join(", ");
  throw new Failure("usage", `${programs.length} programs are running: ${ids}`, {
    hint: "Give the id of one of them.",
  });
}
