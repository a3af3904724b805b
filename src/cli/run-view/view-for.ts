import type { RunView } from "../../app/run/run-events.ts";
import type { RunRecord } from "../../core/run/run-record.ts";
import { type Output, wantsColor } from "../output.ts";
import { bothViews, jsonView, logView, terminalView } from "./run-view.ts";

/** Shows a run in this terminal, and writes the same to the run's log. */
export function viewFor(output: Output): (record: RunRecord) => RunView {
  return (record) => {
    const here =
      output.mode === "json"
        ? jsonView(process.stdout)
        : terminalView(record, output, process.stderr, wantsColor(process.stderr.isTTY, process.env));
    return bothViews(here, logView(record));
  };
}
