import { currentEnvironment } from "../../app/environment.ts";
import { findNewestRun, hasDied } from "../../app/find-run.ts";
import { isHostKnown } from "../../app/detachable.ts";
import { followRun } from "../../app/follow-run.ts";
import { runPathsOf } from "../../app/start-run.ts";
import type { Countdown } from "../../app/talk.ts";
import { showCountdown } from "../countdown.ts";
import { exitCodes } from "../exit-codes.ts";
import { showHosted } from "../host-words.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "shows a run live, with what it has already printed; leaving it leaves the run alone",
  details: `An interactive run is shown as it is, and the keys go to it, Ctrl-C too: Ctrl-\\ d leaves it. Several terminals may be
attached at once; the smallest decides the size.`,
  args: {
    run: {
      type: "positional",
      required: false,
      description: "its id, or a beginning or end of it; unsaid: the newest",
    },
  },
  examples: [
    ["ai-runtime attach", "the newest run, from any directory; Ctrl-C leaves"],
    ["ai-runtime attach k3f9", "by the end of its id"],
  ],
  async run(args, output) {
    const environment = currentEnvironment(process.env);
    const paths = runPathsOf(environment);
    if (args.run !== undefined && isHostKnown(environment, args.run)) return showHosted(environment, args.run);
    const found = findNewestRun(paths, args.run, environment.cwd);
    if (found.plan.kind !== "headless") return showHosted(environment, found.plan.id);
    const left = new AbortController();
    process.once("SIGINT", () => left.abort());
    let countdown: Countdown | undefined;
    const clear = (): void => {
      countdown?.end(false);
      countdown = undefined;
    };
    const { id } = found.plan;
    const follower = {
      print: (text: string) => {
        clear();
        output.data(text);
      },
      tick: (until: number, remaining: number) => {
        if (!process.stderr.isTTY) return;
        countdown ??= showCountdown(process.stderr, until, Date.now(), "ai-runtime");
        countdown.tick(remaining);
      },
    };
    const record = await followRun(paths, id, follower, left.signal);
    clear();
    if (record === "left") {
      output.note(`Left run ${id}; it goes on. Come back with: ai-runtime attach ${id}`);
      return 0;
    }
    if (hasDied(record)) {
      output.warn(`run ${id} has died; go on with: ai-runtime recover`);
      return exitCodes.failed;
    }
    return exitCodes[record.status.exit ?? "failed"];
  },
});
