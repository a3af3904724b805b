import { programNames, type Route } from "../catalogue.ts";

/** Each word that leads on from a route, and where to: the way that a completion walks along the command line. */
export function routeSteps(routes: readonly Route[], write: (from: string, to: string) => string): string {
  const inner = routes.map(({ route }) => route).filter((route) => route.includes(" "));
  return [
    ...inner.map((route) => write(route, route)),
    ...programNames.map((name) => write(`ai-runtime ${name}`, name)),
  ].join("\n");
}

export const wordsOf = ({ candidates }: Route): string => candidates.map(({ word }) => word).join(" ");

export const quoteForSh = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
