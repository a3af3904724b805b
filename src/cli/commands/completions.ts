import { type Route, readRoutes } from "../catalogue.ts";
import { bashCompletions } from "../completions/bash.ts";
import { fishCompletions } from "../completions/fish.ts";
import { powershellCompletions } from "../completions/powershell.ts";
import { zshCompletions } from "../completions/zsh.ts";
import { type Shell, shellArgument, shellNamed } from "../shells.ts";
import { defineVerb } from "../verb.ts";

const writers: Record<Shell, (routes: readonly Route[], commands: readonly string[]) => string> = {
  bash: bashCompletions,
  zsh: zshCompletions,
  fish: fishCompletions,
  powershell: powershellCompletions,
};

export default defineVerb({
  summary: "prints completions for bash, zsh, fish or PowerShell",
  details: "For ai-runtime and session-snapshot. Add the line of your shell below to its start file.",
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
