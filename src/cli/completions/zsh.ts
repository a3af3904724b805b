import type { Candidate, Route } from "../catalogue.ts";
import { quoteForSh, routeSteps } from "./steps.ts";

/** Works from eval as well as from a file _ai-runtime in a directory of fpath. */
export function zshCompletions(routes: readonly Route[], commands: readonly string[]): string {
  const offers = routes.map(
    ({ route, candidates }) => `    ${quoteForSh(route)}) offers=(${candidates.map(offer).join(" ")}) ;;`,
  );
  const values = routes.flatMap(({ route, values }) =>
    values.map(
      ({ option, words }) => `    ${quoteForSh(`${route} ${option}`)}) offers=(${words.map(quoteForSh).join(" ")}) ;;`,
    ),
  );
  return `#compdef ${commands.join(" ")}
# zsh completion for ${commands.join(" and ")}: eval "$(ai-runtime completions zsh)", after compinit
_ai_runtime_complete() {
  local route=\${words[1]:t} index
  local -a offers
  for ((index = 2; index < CURRENT; index++)); do
    case "$route \${words[index]}" in
${routeSteps(routes, (from, to) => `      ${quoteForSh(from)}) route=${quoteForSh(to)} ;;`)}
    esac
  done
  case $route in
${offers.join("\n")}
  esac
  case "$route \${words[CURRENT - 1]}" in
${values.join("\n")}
  esac
  _describe -V ai-runtime offers || _files
}
if [[ \${funcstack[1]} = _ai-runtime ]]; then
  _ai_runtime_complete "$@"
else
  compdef _ai_runtime_complete ${commands.join(" ")}
fi
`;
}

const offer = ({ word, summary }: Candidate): string => quoteForSh(`${word.replaceAll(":", "\\:")}:${summary}`);
