import { reportError } from "../../errors.ts";

/** Internal: the wrapper script of a service starts it. */
export async function runServiceCommand(slug: string): Promise<void> {
  try {
    const { runService } = await import("../../../app/service/run-service.ts");
    process.exit(await runService(process.env, slug));
  } catch (error) {
    const report = reportError(error, "ai-runtime service", false);
    process.stderr.write(`${report.text}\n`);
    process.exit(report.exitCode);
  }
}
