import { reportError } from "../errors.ts";

/** What the wrapper calls; people do not. */
export async function runServiceCommand(slug: string): Promise<void> {
  try {
    const { runService } = await import("../../app/run-service.ts");
    process.exit(await runService(process.env, slug));
  } catch (error) {
    const report = reportError(error, "ai-runtime service", false);
    process.stderr.write(`${report.text}\n`);
    process.exit(report.exitCode);
  }
}
