/** The arguments whose values are ids on this machine, by name. A completion asks for these ids when it needs them. */
const kindOfArgument = {
  run: "runs",
  after: "runs",
  "after-success": "runs",
  session: "sessions",
  service: "services",
} as const;

export type IdKind = (typeof kindOfArgument)[keyof typeof kindOfArgument];

export const idKindOf = (argument: string): IdKind | undefined =>
  Object.hasOwn(kindOfArgument, argument) ? kindOfArgument[argument as keyof typeof kindOfArgument] : undefined;

export const isIdKind = (word: string): word is IdKind => Object.values<string>(kindOfArgument).includes(word);

/** The command that prints these ids, for a shell that completes a line. */
export const idsCommand = (kind: IdKind): string => `ai-runtime completion-ids ${kind}`;
