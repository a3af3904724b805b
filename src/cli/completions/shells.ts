import { Failure } from "../../core/failure.ts";

const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** The argument of verbs that print something for a shell. */
export const shellArgument = {
  type: "positional",
  required: true,
  valueHint: shells.join("|"),
  description: shells.join(", "),
} as const;

export function shellNamed(word: string): Shell {
  const found = shells.find((shell) => shell === word || (word === "pwsh" && shell === "powershell"));
  if (!found) throw new Failure("usage", `unknown shell "${word}"; use one of ${shells.join(", ")}`);
  return found;
}
