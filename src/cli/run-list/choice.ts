/** A list from which the user chooses: the selected row, and the digits typed so far. */
export interface Choice {
  readonly count: number;
  readonly selected: number;
  readonly digits: string;
}

export type Chosen = Choice | { readonly chosen: number } | "quit";

/** What follows when these keys are pressed. Typed digits select a row by its number, from 1. */
export function pressKeys(choice: Choice, keys: string): Chosen {
  let now: Chosen = choice;
  // oxlint-disable-next-line no-control-regex -- arrow keys are escape sequences
  for (const [key] of keys.matchAll(/\x1b[[O][A-Z]|[^]/g)) {
    now = pressKey(now, key);
    if (now === "quit" || "chosen" in now) return now;
  }
  return now;
}

function pressKey({ count, selected, digits }: Choice, key: string): Chosen {
  const move = (by: number): Choice => ({ count, selected: (selected + by + count) % count, digits: "" });
  switch (key) {
    case "\x1b[A":
    case "\x1bOA":
    case "k":
      return move(-1);
    case "\x1b[B":
    case "\x1bOB":
    case "j":
    case "\t":
      return move(1);
    case "\r":
    case "\n":
      return { chosen: selected };
    case "q":
    case "Q":
    case "\x03":
    case "\x04":
    case "\x1b":
      return "quit";
    default:
      return /^\d$/.test(key) ? selectNumber(count, selected, digits + key) : { count, selected, digits: "" };
  }
}

function selectNumber(count: number, selected: number, digits: string): Chosen {
  const number = Number(digits);
  if (number < 1 || number > count) return { count, selected, digits: "" };
  // No longer number can follow.
  return number * 10 > count ? { chosen: number - 1 } : { count, selected: number - 1, digits };
}
