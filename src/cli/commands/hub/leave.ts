import { leaveHub } from "../../../app/hub/set-up.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "takes this machine out of the hub; local files and the contents of the hub stay",
  args: commonArgs,
  examples: [["ai-runtime hub leave", "removes the address and the key from this machine"]],
  async run(_args, output, { environment }) {
    const { unreached } = await leaveHub(environment);
    if (output.mode === "json") return output.json({ left: true, hubKnows: unreached === undefined });
    if (unreached !== undefined) output.warn(`The hub still lists this machine: ${unreached}`);
    output.success("This machine has left the hub. Its address and key are removed from this machine.");
  },
});
