import { type Route, readRoutes } from "../../programs/catalog.ts";
import { bashCompletions } from "../../completions/bash.ts";
import { fishCompletions } from "../../completions/fish.ts";
import { powershellCompletions } from "../../completions/powershell.ts";
import { zshCompletions } from "../../completions/zsh.ts";
import { type Shell, shellArgument, shellNamed } from "../../completions/shells.ts";
import { defineVerb } from "../../programs/verb.ts";

const writers: Record<Shell, (routes: readonly Route[], commands: readonly string[]) => string> = {
  bash: bashCompletions,
  zsh: zshCompletions,
  fish: fishCompletions,
  powershell: powershellCompletions,
};

export default defineVerb({
  summary: "prints shell completions for bash, zsh, fish or PowerShell",
  details: "For ai-runtime and session-snapshot. Add the line for your shell below to its startup file.",
  args: { shell: shellArgument },
  examples: [
    ['eval "$(ai-runtime completions bash)"', "in ~/.bashrc"],
    ['eval "$(ai-runtime completions zsh)"', "in ~/.zshrc, after compinit"],
    ["ai-runtime completions fish | source", "in ~/.config/fish/config.fish"],
    ["ai-runtime completions powershell | Out-String | Invoke-Expression", "in $PROFILE"],
  ],
  async run(args, output) {
    output.data(writers[shellNamed(args.shell)](await readRoutes(), ["ai-runtime", "session-snapshot"]));
  },
});
