import type { Route } from "../programs/catalog.ts";
import { type IdKind, idsCommand } from "./id-kinds.ts";
import { routeSteps } from "./steps.ts";

const quote = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;

const idsOffer = (kind: IdKind): string => `(${idsCommand(kind)} 2>/dev/null)`;

export function fishCompletions(routes: readonly Route[], commands: readonly string[]): string {
  const lines = routes.flatMap(({ route, candidates, closed, ids, values }) => {
    const [command = ""] = route.split(" ");
    // `ai-runtime session-snapshot …` completes like `session-snapshot …`.
    const typed = command === "ai-runtime" ? [command] : ["ai-runtime", command];
    const condition = `-n ${quote(`__ai_runtime_at ${quote(route)}`)}${closed ? " -f" : ""}`;
    return typed.flatMap((name) => [
      ...candidates.map(
        ({ word, summary }) => `complete -c ${name} ${condition} -a ${quote(word)} -d ${quote(summary)}`,
      ),
      // In the order of the command: the newest first.
      ...(ids === undefined ? [] : [`complete -c ${name} ${condition} -k -a ${quote(idsOffer(ids))}`]),
      ...values.map((value) => {
        const offered = "ids" in value ? `-k -a ${quote(idsOffer(value.ids))}` : `-a ${quote(value.words.join(" "))}`;
        return `complete -c ${name} -n ${quote(`__ai_runtime_at ${quote(`${route} ${value.option}`)}`)} -f ${offered}`;
      }),
    ]);
  });
  // After an option with known values, only these values are offered.
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
