import type { Route } from "../programs/catalog.ts";
import { quotePosix } from "../../core/posix-quote.ts";
import { assignIds, posixSteps, wordsOf } from "./steps.ts";

/** If nothing may follow, bash offers files. */
export function bashCompletions(routes: readonly Route[], commands: readonly string[]): string {
  const steps = posixSteps(routes, {
    loop: "index = 1; index < COMP_CWORD; index++",
    word: "${COMP_WORDS[index]}",
    previous: "$previous",
    offer: (route) => `words=${quotePosix(wordsOf(route))}${assignIds(route)}`,
    values: (value) =>
      "ids" in value ? `words=${assignIds(value)}` : `words=${quotePosix(value.words.join(" "))} ids=`,
  });
  return `# bash completion for ${commands.join(" and ")}: eval "$(ai-runtime completions bash)"
_ai_runtime_complete() {
  local route=\${COMP_WORDS[0]##*/} current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words= ids= index
${steps}
  if [[ -n $ids && $current != -* ]]; then words+=" $($ids 2>/dev/null | cut -f1)"; fi
  COMPREPLY=()
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _ai_runtime_complete ${commands.join(" ")}
`;
}
