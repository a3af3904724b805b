import { initHub } from "../../../app/hub/set-up.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";
import { printSetUp } from "../../messages/hub-messages.ts";

export default defineVerb({
  summary: "makes a PostgreSQL database the hub of your machines, and prints the line for the others",
  details: `Creates the schema ai_runtime and a key that never reaches the database. An address with a password does not belong on a
command line: give - and paste it, or set AI_RUNTIME_HUB_URL. Run again, it updates the schema and prints the line
again. The line holds the key: treat it like a password.`,
  args: {
    url: {
      type: "positional",
      required: false,
      description: "postgres://user@host/database, or - to read it from stdin",
    },
    ...commonArgs,
  },
  examples: [
    ["ai-runtime hub init postgres://me@127.0.0.1/work", "a database on this machine"],
    ["ai-runtime hub init - < address.txt", "an address with a password"],
  ],
  run: async (args, output, { environment }) => printSetUp(await initHub(environment, args.url), output),
});
