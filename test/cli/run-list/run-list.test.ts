import { expect, test } from "bun:test";
import { createColors } from "picocolors/picocolors.js";
import type { LiveProgram } from "../../../src/app/host/find-attachable.ts";
import type { ListedRun } from "../../../src/app/run-records/list-runs.ts";
import { renderChoice } from "../../../src/cli/run-list/ask-for-program.ts";
import { renderDetails } from "../../../src/cli/run-list/run-details.ts";
import { renderRuns } from "../../../src/cli/run-list/run-list.ts";
import type { Output } from "../../../src/cli/output.ts";
import type { HostedState } from "../../../src/core/host/hosted-state.ts";
import { newRun } from "../../../src/core/run/run-record.ts";

const now = new Date(2026, 10, 18, 12, 0).getTime();
const minute = 60_000;
const place = { home: "/home/ann", cwd: "/", now };
const output = (tableWidth: number): Output => ({ tableWidth, colors: createColors(false) }) as Output;

const titles = ["Fix the login redirect loop on mobile", "Migrate the tests\x1b[31m", "日本語のとても長いタイトルです"];
const states: HostedState[] = [
  { kind: "asking", about: "permission" },
  { kind: "limit", until: now + 133 * minute, held: null },
  { kind: "limit", until: null, held: "gave-up" },
];

function runOf(state: HostedState, index: number): ListedRun {
  const id = `20261118-09000${index}-k3f${index}`;
  const cwd = index === 0 ? "/home/ann/work/a-long-directory-name/shop" : "/srv/data";
  const plan = { id, kind: "interactive", task: "", cwd, directory: "/x", sessionId: "s", claude: "claude" } as const;
  const rest = { flags: [], permissionMode: null, claudeConfig: "/c", created: now - 90 * minute };
  const record = newRun({ ...plan, ...rest, maxWait: null, maxBudgetUsd: null });
  const hangup = index === 1 ? ({ policy: "finish", time: now - 5 * minute } as const) : null;
  const hosted = { state, since: now - 5 * minute, title: titles[index] ?? null, terminals: 1, hangup };
  return { record, died: false, hosted, title: titles[index] ?? null, sessionId: "3b7a5f0e" };
}

const runs = states.map(runOf);
const programs: LiveProgram[] = runs.map(({ record, hosted }, index) => ({
  id: record.plan.id,
  title: titles[index] ?? "",
  directory: record.plan.cwd,
  state: { kind: "hosted", status: hosted?.state ?? { kind: "working" } },
  since: now - 5 * minute,
}));

test.each([50, 80, 120])("the list and the choice fit into %d columns and show state and title", (width) => {
  const list = renderRuns({ runs, older: 0, unreadable: [] }, output(width), place);
  const choice = renderChoice(programs, { count: 3, selected: 1, digits: "" }, output(width), 24, place);
  for (const lines of [list, choice]) {
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width);
    const text = lines.join("\n");
    expect(text).toContain("asking: permission");
    expect(text).toContain("limit → 14:13 (2h 13m)");
    expect(text).toContain("Fix the log");
    expect(text).not.toContain("\x1b");
    if (width >= 80) expect(text).toMatch(/shop +.*5m/);
  }
  expect(choice[2]).toStartWith("❯ 2 ");
});

test("a choice that is higher than the terminal shows the rows around the selected one", () => {
  const many = Array.from({ length: 30 }, () => programs[0]).flatMap((program) => program ?? []);
  const lines = renderChoice(many, { count: 30, selected: 29, digits: "" }, output(80), 10, place);
  expect(lines).toHaveLength(8);
  expect(lines.at(-2)).toStartWith("❯ 30 ");
  expect(lines.at(-1)).toEndWith("24 more");
});

test("the details of a run say what follows after its terminal was lost, and the next command", () => {
  const [, run] = runs;
  if (!run) throw new Error("no run");
  expect(renderDetails(run, output(80), place)).toEqual([
    "run        20261118-090001-k3f1",
    "kind       interactive",
    "title      Migrate the tests",
    "state      limit → 14:13 (2h 13m), since 11:55:00 (5m ago)",
    "terminals  the last one was lost 11:55:00 (5m ago); it finishes its work and then exits",
    "directory  /srv/data",
    "session    3b7a5f0e",
    "started    10:30:00 (1h 30m ago)",
    "starts     0",
    "records    /x",
    "next       ai-runtime attach k3f1",
  ]);
});
