/** A unified diff of two small texts for the user to review; empty when they are equal. */
export function unifiedDiff(before: string, after: string, name: string): string {
  if (before === after) return "";
  const old = splitLines(before);
  const now = splitLines(after);
  // If all lines end with CRLF, the carriage returns are hidden. If line endings differ, they are part of the change.
  const hidesReturns = [...old, ...now].every((line) => line.endsWith("\r\n") || !line.endsWith("\n"));
  const steps = compareLines(old, now);
  const hunks = groupSteps(steps).map(({ from, to }) => {
    const part = steps.slice(from, to);
    const start = (sign: string): number => steps.slice(0, from).filter((step) => step.sign !== sign).length;
    const range = (sign: string): string => {
      const length = part.filter((step) => step.sign !== sign).length;
      return `${length === 0 ? start(sign) : start(sign) + 1},${length}`;
    };
    return `@@ -${range("+")} +${range("-")} @@\n${part.map((step) => show(step, hidesReturns)).join("")}`;
  });
  return `--- ${name}\n+++ ${name}\n${hunks.join("")}`;
}

interface Step {
  readonly sign: " " | "-" | "+";
  readonly line: string;
}

const CONTEXT_LINES = 3;
/** Cells of the comparison table. A larger block is shown as replaced entirely, to save memory. */
const MAX_TABLE_CELLS = 4_000_000;

function splitLines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function compareLines(old: readonly string[], now: readonly string[]): Step[] {
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  const maxTail = Math.min(old.length, now.length) - head;
  while (tail < maxTail && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  const same = (line: string): Step => ({ sign: " ", line });
  return [
    ...old.slice(0, head).map(same),
    ...compareMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...old.slice(old.length - tail).map(same),
  ];
}

function compareMiddle(old: readonly string[], now: readonly string[]): Step[] {
  const removed = (line: string): Step => ({ sign: "-", line });
  const added = (line: string): Step => ({ sign: "+", line });
  const width = now.length + 1;
  if ((old.length + 1) * width > MAX_TABLE_CELLS) return [...old.map(removed), ...now.map(added)];
  // common[i * width + j]: how many lines old[i…] and now[j…] have in common, in order.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = [];
  let j = 0;
  for (let i = 0; i < old.length;) {
    const line = old[i] ?? "";
    if (line === now[j]) {
      steps.push({ sign: " ", line });
      i += 1;
      j += 1;
    } else if (j < now.length && at(i, j + 1) > at(i + 1, j)) {
      steps.push(added(now[j] ?? ""));
      j += 1;
    } else {
      steps.push(removed(line));
      i += 1;
    }
  }
  return [...steps, ...now.slice(j).map(added)];
}

/** Ranges of steps around the changes; overlapping ranges are merged. */
function groupSteps(steps: readonly Step[]): { from: number; to: number }[] {
  const groups: { from: number; to: number }[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.sign === " ") continue;
    const from = Math.max(0, at - CONTEXT_LINES);
    const to = Math.min(steps.length, at + 1 + CONTEXT_LINES);
    const last = groups.at(-1);
    if (last && from <= last.to) last.to = to;
    else groups.push({ from, to });
  }
  return groups;
}

function show(step: Step, hidesReturns: boolean): string {
  const isWhole = step.line.endsWith("\n");
  const line = isWhole ? step.line.slice(0, -1) : step.line;
  const text = hidesReturns && isWhole && line.endsWith("\r") ? line.slice(0, -1) : line;
  // Control characters in a file must not control the terminal.
  const visible = text.replace(/(?!\t)\p{Cc}/gu, (character) =>
    character === "\r" ? "␍" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${step.sign}${visible}\n${isWhole ? "" : "\\ No newline at end of file\n"}`;
}
