import { serveDetached } from "../../../app/dashboard/dashboard.ts";
import type { DashboardOptions } from "../../../app/dashboard/dashboard-options.ts";
import { currentEnvironment } from "../../../app/environment.ts";

/** Internal: the process of `dashboard --detach`. Its first line on stdout reports whether it started. */
export function runDashboardServer(options: string): Promise<void> {
  // The process that started it has closed its end of the pipe by then.
  process.stdout.on("error", () => undefined);
  return serveDetached(currentEnvironment(process.env), JSON.parse(options) as DashboardOptions, (announcement) =>
    process.stdout.write(`${JSON.stringify(announcement)}\n`),
  );
}
