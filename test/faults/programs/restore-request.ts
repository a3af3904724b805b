// restore-request ask|take <events directory> <session id>: what the host does at the restore key, or the cclaude in it when its
// claude has ended. Prints the keys that the host typed, or the request that cclaude took.
import { writeSync } from "node:fs";
import { bestEffort } from "../../../src/app/best-effort.ts";
import { currentEnvironment } from "../../../src/app/environment.ts";
import { HostedOverflow } from "../../../src/app/hosted-claude/overflow.ts";
import { takeRestoreRequest } from "../../../src/store/cclaude/restore-request.ts";

const [what, events = "", id = ""] = process.argv.slice(2);
const environment = currentEnvironment(process.env);

if (what === "take") {
  const taken = bestEffort(environment, () => takeRestoreRequest(events), undefined);
  writeSync(1, taken ? `took ${taken.sessionId}` : "took nothing");
  process.exit(taken ? 0 : 1);
}

let typed = "";
let line = "";
const overflow = new HostedOverflow({
  environment,
  events,
  model: { text: () => ({ rows: ["─────", "❯ ", "─────"], cursor: { x: 2, y: 1 } }) },
  session: () => ({ id, transcriptPath: null }),
  claude: () => undefined,
  write: (text) => void (typed += text),
  onLine: (shown) => void (line = shown?.("Ctrl-\\ d", 80) ?? ""),
});
const seen = { state: { kind: "context-full" }, quietMs: 10_000, terminals: 1, hangup: null } as const;
overflow.decide(seen);
overflow.onCommand("restore");
overflow.decide(seen);
if (typed === "") {
  overflow.decide(seen);
  writeSync(2, `host: ${line}\n`);
  process.exit(1);
}
writeSync(1, typed);
