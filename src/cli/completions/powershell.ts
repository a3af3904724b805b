import type { Route } from "../catalogue.ts";
import { routeSteps } from "./steps.ts";

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export function powershellCompletions(routes: readonly Route[], commands: readonly string[]): string {
  const offers = routes.map(({ route, candidates }) => {
    const pairs = candidates.map(({ word, summary }) => `@(${quote(word)}, ${quote(summary || word)})`);
    return `    ${quote(route)} = @(${pairs.join(", ")})`;
  });
  const values = routes.flatMap(({ route, values }) =>
    values.map(({ option, words }) => {
      const pairs = words.map((word) => `@(${quote(word)}, ${quote(word)})`);
      return `    ${quote(`${route} ${option}`)} = @(${pairs.join(", ")})`;
    }),
  );
  return `# PowerShell completion for ${commands.join(" and ")}:
#   ai-runtime completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName @(${commands.map(quote).join(", ")}) -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $steps = @{
${routeSteps(routes, (from, to) => `    ${quote(from)} = ${quote(to)}`)}
  }
  $offers = @{
${[...offers, ...values].join("\n")}
  }
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $route = [System.IO.Path]::GetFileNameWithoutExtension($words[0])
  foreach ($word in ($words | Select-Object -Skip 1)) {
    if ($steps.ContainsKey("$route $word")) { $route = $steps["$route $word"] }
  }
  $last = $words[-1]
  $found = if ($offers.ContainsKey("$route $last")) { $offers["$route $last"] } else { $offers[$route] }
  foreach ($offer in $found) {
    if ($offer[0] -like "$wordToComplete*") {
      [System.Management.Automation.CompletionResult]::new($offer[0], $offer[0], 'ParameterValue', $offer[1])
    }
  }
}
`;
}
