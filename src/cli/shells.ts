import { Failure } from "../core/failure.ts";

const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** The one word of a verb that prints something for a shell. */
export const shellArgument = {
  type: "positional",
  required: true,
  valueHint: shells.join("|"),
  description: shells.join(", "),
} as const;

export function shellNamed(word: string): Shell {
  const found = shells.find((shell) => shell === word || (word === "pwsh" && shell === "powershell"));
  if (!found) throw new Failure("usage", `"${word}" is no shell that is known; it is one of ${shells.join(", ")}`);
  return found;
}
