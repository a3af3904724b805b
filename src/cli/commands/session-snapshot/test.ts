import { selfTest } from "../../../app/doctor/self-test.ts";
import { exitCodes } from "../../exit-codes.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "checks that snapshots work on this machine: takes one and restores it",
  details: "Works in a temporary directory. Your sessions and settings are read, never changed.",
  args: commonArgs,
  examples: [["session-snapshot test", "prints one line per check; exit code 1 when one fails"]],
  async run(_args, output, { environment }) {
    const checks = await selfTest(environment);
    const failed = checks.filter(({ problem }) => problem !== undefined).length;
    const { green, red } = output.colors;
    if (output.mode === "json") {
      output.json({
        ok: failed === 0,
        checks: checks.map(({ name, problem }) => ({ name, problem: problem ?? null })),
      });
    } else {
      for (const { name, problem } of checks) {
        output.data(problem === undefined ? `${green("✔")} ${name}` : `${red("✘")} ${name}: ${problem}`);
      }
    }
    return failed === 0 ? exitCodes.done : exitCodes.failed;
  },
});
