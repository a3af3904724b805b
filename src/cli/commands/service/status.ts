import { type ServiceReport, serviceReports } from "../../../app/service/service-logs.ts";
import { Failure } from "../../../core/failure.ts";
import type { Output } from "../../output.ts";
import { renderTable } from "../../table.ts";
import { commonArgs, defineVerb } from "../../programs/verb.ts";

export default defineVerb({
  summary: "shows the state of the services",
  args: {
    service: {
      type: "positional",
      required: false,
      description: "name, start of the name, or workspace; default: all services",
    },
    ...commonArgs,
  },
  examples: [["ai-runtime service status", "shows all services"]],
  async run(args, output, { environment }) {
    const reports = await serviceReports(environment, args.service);
    if (output.mode === "json") return output.json({ services: reports.map(reportJson) });
    if (reports.length === 0) {
      throw new Failure("not-found", "no service is installed", {
        hint: "ai-runtime service plan shows what an install would do.",
      });
    }
    const [head = "", ...body] = renderTable(columns, reports.map(row), output.tableWidth);
    output.data([output.colors.dim(head), ...body.map((line, at) => paint(line, reports[at], output))].join("\n"));
  },
});

const columns = [
  { title: "service", shrinksTo: 16 },
  { title: "state" },
  { title: "pid", align: "right", leavesAs: 2 },
  { title: "restarts", align: "right", leavesAs: 1 },
  { title: "workspace", shrinksTo: 12 },
  { title: "last", shrinksTo: 12, leavesAs: 3 },
] as const;

function row({ record, state, last }: ServiceReport): string[] {
  const { pid, restarts } = state;
  const logged = last?.replace(/^\S+ /, "");
  // When the service is down, the log says why; the system only knows that it failed.
  const said = (state.state === "running" ? (state.detail ?? logged) : (logged ?? state.detail)) ?? "";
  return [record.slug, state.state, String(pid ?? "–"), String(restarts ?? "–"), record.workspace, said];
}

function paint(line: string, report: ServiceReport | undefined, { colors }: Output): string {
  const state = report?.state.state ?? "";
  const color = state === "running" ? colors.green : ["failed", "missing"].includes(state) ? colors.red : String;
  return line.replace(`  ${state}`, `  ${color(state)}`);
}

const reportJson = ({ record, state, log, last }: ServiceReport): object => ({
  service: record.slug,
  workspace: record.workspace,
  platform: record.system,
  ...state,
  resume: record.resume,
  watchdogSeconds: record.watchdogSeconds,
  claudeArguments: record.claudeArguments,
  log,
  last,
});
