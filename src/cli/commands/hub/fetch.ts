import { fetchInto } from "../../../app/hub/fetch/continue-elsewhere.ts";
import { continuedLines } from "../../messages/hub-messages.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "brings a session of another machine here, with its files, and makes this machine its writer",
  details: `Without --into, the session goes to the checkout of the same project on this machine: this directory, or one that ai-runtime has
seen. The files of that directory become those of the session; session-snapshot undo takes that back.`,
  args: {
    session: { type: "positional", required: true, description: "id of a session in the hub, or the start of it" },
    into: { type: "string", valueHint: "directory", description: "where it continues; made when it does not exist" },
    ...commonArgs,
  },
  examples: [["ai-runtime hub fetch 1b9d6bcd --into ~/work/cart", "brings the session and its files there"]],
  async run(args, output, { environment }) {
    const continued = await fetchInto(environment, args.session, args.into);
    if (output.mode === "json") return output.json({ ...continued, label: undefined, title: continued.label.title });
    for (const line of continuedLines(continued)) output.note(line);
    output.success(`Continue with: cd ${continued.directory} && cclaude --resume ${continued.sessionId}`);
  },
});
