import type { Route } from "../catalogue.ts";
import { quoteForSh, routeSteps, wordsOf } from "./steps.ts";

/** Finds the route by walking over the words, then offers what may follow; where that is nothing, bash offers files. */
export function bashCompletions(routes: readonly Route[], commands: readonly string[]): string {
  const offers = routes.map((route) => `    ${quoteForSh(route.route)}) words=${quoteForSh(wordsOf(route))} ;;`);
  const values = routes.flatMap(({ route, values }) =>
    values.map(
      ({ option, words }) => `    ${quoteForSh(`${route} ${option}`)}) words=${quoteForSh(words.join(" "))} ;;`,
    ),
  );
  return `# bash completion for ${commands.join(" and ")}: eval "$(ai-runtime completions bash)"
_ai_runtime_complete() {
  local route=\${COMP_WORDS[0]##*/} current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$route \${COMP_WORDS[index]}" in
${routeSteps(routes, (from, to) => `      ${quoteForSh(from)}) route=${quoteForSh(to)} ;;`)}
    esac
  done
  case $route in
${offers.join("\n")}
  esac
  case "$route $previous" in
${values.join("\n")}
  esac
  COMPREPLY=()
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _ai_runtime_complete ${commands.join(" ")}
`;
}
