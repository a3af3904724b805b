import { quotePosix } from "../../core/posix-quote.ts";
import { type IdKind, idsCommand } from "./id-kinds.ts";
import { type OptionValues, programNames, type Route } from "../programs/catalog.ts";

/** For each route, the words that lead to it: a completion follows them along the command line. */
export function routeSteps(routes: readonly Route[], write: (from: string, to: string) => string): string {
  const inner = routes.map(({ route }) => route).filter((route) => route.includes(" "));
  return [
    ...inner.map((route) => write(route, route)),
    ...programNames.map((name) => write(`ai-runtime ${name}`, name)),
  ].join("\n");
}

export const wordsOf = ({ candidates }: Route): string => candidates.map(({ word }) => word).join(" ");

/** For bash and zsh: assigns the command that lists the ids to offer, if there is one. */
export const assignIds = ({ ids }: { readonly ids?: IdKind | undefined }): string =>
  ids === undefined ? "" : ` ids=${quotePosix(idsCommand(ids))}`;

/** The parts of a completion in which bash and zsh differ. */
export interface PosixCompletion {
  /** The head of the loop over the words before the one that is completed. */
  readonly loop: string;
  /** The current word of that loop. */
  readonly word: string;
  /** The word before the one that is completed. */
  readonly previous: string;
  /** Assigns what may follow a route. */
  readonly offer: (route: Route) => string;
  /** Assigns the values of an option. After an option, only its values are offered. */
  readonly values: (values: OptionValues) => string;
}

/** Walks over the words to find the route, then assigns what may follow it. */
export function posixSteps(routes: readonly Route[], { loop, word, previous, offer, values }: PosixCompletion): string {
  const offers = routes.map((route) => `    ${quotePosix(route.route)}) ${offer(route)} ;;`);
  const options = routes.flatMap(({ route, values: known }) =>
    known.map((value) => `    ${quotePosix(`${route} ${value.option}`)}) ${values(value)} ;;`),
  );
  return `  for ((${loop})); do
    case "$route ${word}" in
${routeSteps(routes, (from, to) => `      ${quotePosix(from)}) route=${quotePosix(to)} ;;`)}
    esac
  done
  case $route in
${offers.join("\n")}
  esac
  case "$route ${previous}" in
${options.join("\n")}
  esac`;
}
