import type { Candidate, Route } from "../programs/catalog.ts";
import { quotePosix } from "../../core/posix-quote.ts";
import { assignIds, posixSteps } from "./steps.ts";

/** Works with eval, and as a file `_ai-runtime` in a directory of fpath. */
export function zshCompletions(routes: readonly Route[], commands: readonly string[]): string {
  const steps = posixSteps(routes, {
    loop: "index = 2; index < CURRENT; index++",
    word: "${words[index]}",
    previous: "${words[CURRENT - 1]}",
    offer: (route) => `offers=(${route.candidates.map(offer).join(" ")})${assignIds(route)}`,
    values: (value) =>
      "ids" in value ? `offers=()${assignIds(value)}` : `offers=(${value.words.map(quotePosix).join(" ")}) ids=`,
  });
  return `#compdef ${commands.join(" ")}
# zsh completion for ${commands.join(" and ")}: eval "$(ai-runtime completions zsh)", after compinit
_ai_runtime_complete() {
  local route=\${words[1]:t} index ids= id about
  local -a offers
${steps}
  if [[ -n $ids && $PREFIX != -* ]]; then
    while IFS=$'\\t' read -r id about; do offers+=("$id:$about"); done < <(\${=ids} 2>/dev/null)
  fi
  _describe -V ai-runtime offers || _files
}
if [[ \${funcstack[1]} = _ai-runtime ]]; then
  _ai_runtime_complete "$@"
else
  compdef _ai_runtime_complete ${commands.join(" ")}
fi
`;
}

const offer = ({ word, summary }: Candidate): string => quotePosix(`${word.replaceAll(":", "\\:")}:${summary}`);
