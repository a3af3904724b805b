import { sendTest } from "../../../app/notify/send-test.ts";
import { channelNames, eventNames } from "../../../app/notify/names.ts";
import { Failure } from "../../../core/failure.ts";
import { exitCodes } from "../../exit-codes.ts";
import { oneLine } from "../../one-line.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "sends a sample to every configured channel and reports what happened",
  details: `Tries each channel once, also in quiet hours. Exit code 1: no channel works; 3: some do not; 4: none is configured.`,
  args: {
    channel: { type: "enum", options: [...channelNames], description: "only this channel" },
    event: { type: "enum", options: [...eventNames], description: "the event of the sample; default: done" },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime notify test", "tries all channels"],
    ["ai-runtime notify test --channel ntfy --event needs-you", "tries one of them with another event"],
  ],
  async run(args, output, { environment }) {
    const { stderr } = process;
    const toTerminal = stderr.isTTY ? (bytes: string): void => void stderr.write(bytes) : undefined;
    const { results, problems } = await sendTest(environment, args.event ?? "done", args.channel, toTerminal);
    for (const problem of problems) output.warn(problem);
    if (results.length === 0) {
      const what = args.channel === undefined ? "no channel is" : `the channel ${args.channel} is not`;
      throw new Failure("not-found", `${what} configured`, {
        hint: 'ai-runtime man lists the settings; for example, put this into config.json: "notify.desktop": ["all"]',
      });
    }
    const failed = results.filter(({ problem }) => problem !== undefined);
    if (output.mode === "json") {
      output.json({ channels: results.map(({ channel, problem }) => ({ channel, problem: problem ?? null })) });
    } else {
      const words = ({ channel, problem }: (typeof results)[number]): string =>
        `${channel}: ${problem === undefined ? "sent" : `failed: ${oneLine(problem)}`}`;
      output.data(results.map(words).join("\n"));
    }
    if (failed.length === 0) return exitCodes.done;
    return failed.length === results.length ? exitCodes.failed : exitCodes.partial;
  },
});
