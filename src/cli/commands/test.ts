import { currentEnvironment } from "../../app/environment.ts";
import { selfTest } from "../../app/self-test.ts";
import { exitCodes } from "../exit-codes.ts";
import { commonArgs, defineVerb } from "../verb.ts";

export default defineVerb({
  summary: "checks on this machine that snapshots are taken and can be restored",
  details: "Works in a scratch directory; your sessions and settings are read, never changed.",
  args: commonArgs,
  examples: [["session-snapshot test", "one line for each check; exit 1 when one fails"]],
  async run(_args, output) {
    const checks = await selfTest(currentEnvironment(process.env));
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
