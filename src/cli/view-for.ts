import type { RunView } from "../app/run-view.ts";
import type { RunRecord } from "../core/run-record.ts";
import { type Output, wantsColor } from "./output.ts";
import { bothViews, jsonView, logView, terminalView } from "./run-view.ts";

/** What is shown in this terminal, and the same in the run's own log. */
export function viewFor(output: Output): (record: RunRecord) => RunView {
  return (record) => {
    const here =
      output.mode === "json"
        ? jsonView(process.stdout)
        : terminalView(output, process.stderr, wantsColor(process.stderr.isTTY, process.env));
    return bothViews(here, logView(record));
  };
}
