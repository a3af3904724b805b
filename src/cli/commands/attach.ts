import { attachHosted } from "../../app/detachable.ts";
import { currentEnvironment } from "../../app/environment.ts";
import { findHost } from "../../app/hosts.ts";
import { hostWords, leaveHosted } from "../host-words.ts";
import { defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "show a detached program on this terminal",
  details: `Without an id, the newest that runs. The keys go to the program, Ctrl-C too; Ctrl-\\ d leaves it running. Several terminals may be
attached at once: the smallest decides the size.`,
  args: {
    id: { type: "positional", required: false, description: "which one: its id, or how it begins" },
  },
  examples: [
    ["ai-runtime attach", "the newest"],
    ["ai-runtime attach 3f2a", "that one"],
  ],
  async run({ id }) {
    const environment = currentEnvironment(process.env);
    const record = findHost(environment, id);
    leaveHosted(record.plan.id, await attachHosted(environment, record, hostWords));
    return Number(process.exitCode ?? 0);
  },
});
