import type { Environment } from "../environment.ts";
import { type BootOutcome, inspectAtLogin } from "../recovery/inspect-at-login.ts";
import { type CheckResult, failed, ok, warning } from "./check-result.ts";

const name = "at-login";
const install = "ai-runtime install --at-login";

/** Nothing else notices a broken start at login: it would simply not happen after the next reboot. */
export async function checkAtLogin(environment: Environment): Promise<CheckResult[]> {
  const facts = await inspectAtLogin(environment);
  if (!facts) return [ok(name, `off: after a reboot nothing continues by itself; ${install} turns it on`)];
  const { missing, changed, refusal, boot } = facts;
  if (missing.length > 0) return [failed(name, `cannot start: ${missing.join(", ")} is missing`, install)];
  if (refusal !== null) return [failed(name, `the system does not start it: ${refusal}`, install)];
  const edits = changed.map((path) => warning(name, `${path} was changed since the install`, install));
  return [...edits, describe(boot)];
}

function describe(boot: BootOutcome): CheckResult {
  switch (boot.kind) {
    case "not-run":
      return warning(name, "on, but it has not run in this boot", "ai-runtime recover --all --boot");
    case "at-work":
      return ok(name, "on; it is at work now, or waits for the end of the quiet hours");
    case "killed":
      return warning(
        name,
        `on, but it was interrupted (${at(boot.since)}) before it was done`,
        "ai-runtime recover --all --boot",
      );
    case "done": {
      const { continued, failed: problems, left } = boot;
      const counts = `${continued} continued, ${problems} not continued, ${left} left to you`;
      if (problems > 0) return warning(name, `on; this boot (${at(boot.since)}): ${counts}`, "ai-runtime recover");
      if (continued + left === 0) return ok(name, `on; this boot (${at(boot.since)}): nothing to continue`);
      return ok(name, `on; this boot (${at(boot.since)}): ${counts}`);
    }
  }
}

const at = (time: number): string => new Date(time).toISOString();
