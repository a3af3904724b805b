import type { ServicePlan } from "../../core/service/service-options.ts";
import { quotePosixWords } from "../../core/posix-quote.ts";
import type { Output } from "../output.ts";

/** File modes in octal, as text. */
export const planJson = ({ files, commands, notes }: ServicePlan): object => ({
  files: files.map(({ path, content, mode }) => ({ path, content, mode: octal(mode) })),
  commands,
  notes,
});

const octal = (mode: number): string => mode.toString(8).padStart(4, "0");

export function describePlan({ files, commands, notes }: ServicePlan, { colors }: Output): string {
  const parts = files.map(({ path, content, mode }) =>
    [colors.bold(`${quotePosixWords([path])}  (${octal(mode)})`), indent(content)].join("\n"),
  );
  const then = commands.map((command) => `  ${quotePosixWords(command)}`);
  return [
    ...parts,
    [colors.bold("Commands"), ...then].join("\n"),
    [colors.bold("Notes"), ...notes.map((note) => `  ${note}`)].join("\n"),
  ].join("\n\n");
}

const indent = (content: string): string =>
  content
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
