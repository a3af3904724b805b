import type { Route } from "../catalogue.ts";
import { routeSteps } from "./steps.ts";

const quote = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

export function fishCompletions(routes: readonly Route[], commands: readonly string[]): string {
  const lines = routes.flatMap(({ route, candidates, closed, values }) => {
    const [command = ""] = route.split(" ");
    // ai-runtime session-snapshot … is completed as session-snapshot … is.
    const typed = command === "ai-runtime" ? [command] : ["ai-runtime", command];
    const condition = `-n ${quote(`__ai_runtime_at ${quote(route)}`)}${closed ? " -f" : ""}`;
    return typed.flatMap((name) => [
      ...candidates.map(
        ({ word, summary }) => `complete -c ${name} ${condition} -a ${quote(word)} -d ${quote(summary)}`,
      ),
      ...values.map(
        ({ option, words }) =>
          `complete -c ${name} -n ${quote(`__ai_runtime_at ${quote(`${route} ${option}`)}`)} -f -a ${quote(words.join(" "))}`,
      ),
    ]);
  });
  // Behind an option whose values are known, nothing but these.
  const options = routes.flatMap(({ route, values }) => values.map(({ option }) => `${route} ${option}`));
  return `# fish completion for ${commands.join(" and ")}: ai-runtime completions fish | source
function __ai_runtime_at
    set -l words (commandline -opc)
    set -l route (string replace -r '.*/' '' -- $words[1])
    set -e words[1]
    for word in $words
        switch "$route $word"
${routeSteps(routes, (from, to) => `            case ${quote(from)}\n                set route ${quote(to)}`)}
        end
    end
    switch "$route $words[-1]"
        case ${options.map(quote).join(" ")}
            set route "$route $words[-1]"
    end
    test "$route" = $argv[1]
end
${lines.join("\n")}
`;
}
