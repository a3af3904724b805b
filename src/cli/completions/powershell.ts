import type { Route } from "../programs/catalog.ts";
import { routeSteps } from "./steps.ts";

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** An offer is one text, `word<TAB>description`: PowerShell flattens a list that has one list in it. */
const offer = (word: string, description: string): string => quote(`${word}\t${description || word}`);

export function powershellCompletions(routes: readonly Route[], commands: readonly string[]): string {
  const offers = routes.map(
    ({ route, candidates }) =>
      `    ${quote(route)} = @(${candidates.map(({ word, summary }) => offer(word, summary)).join(", ")})`,
  );
  const values = routes.flatMap(({ route, values }) =>
    values.map((value) => {
      const words = "words" in value ? value.words : [];
      return `    ${quote(`${route} ${value.option}`)} = @(${words.map((word) => offer(word, word)).join(", ")})`;
    }),
  );
  const kinds = routes.flatMap(({ route, ids, values }) => [
    ...(ids === undefined ? [] : [`    ${quote(route)} = ${quote(ids)}`]),
    ...values.flatMap((value) =>
      "ids" in value ? [`    ${quote(`${route} ${value.option}`)} = ${quote(value.ids)}`] : [],
    ),
  ]);
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
  $kinds = @{
${kinds.join("\n")}
  }
  $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $route = [System.IO.Path]::GetFileNameWithoutExtension($words[0])
  foreach ($word in ($words | Select-Object -Skip 1)) {
    if ($steps.ContainsKey("$route $word")) { $route = $steps["$route $word"] }
  }
  $key = "$route $($words[-1])"
  if (-not $offers.ContainsKey($key)) { $key = $route }
  $found = @($offers[$key])
  if ($kinds.ContainsKey($key) -and $wordToComplete -notlike '-*') {
    $found += @(ai-runtime completion-ids $kinds[$key] 2>$null)
  }
  foreach ($line in $found) {
    $word, $about = $line -split "\`t", 2
    if ($word -like "$wordToComplete*") {
      [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
    }
  }
}
`;
}
