import { type Shell, shellArgument, shellNamed } from "../shells.ts";
import { defineVerb } from "../verb.ts";

/** Without cclaude on PATH they define nothing: then claude is what it was. */
const functions: Record<Shell, string> = {
  bash: `if command -v cclaude >/dev/null 2>&1; then claude() { cclaude "$@"; }; fi`,
  zsh: `if (( $+commands[cclaude] )); then claude() { cclaude "$@"; }; fi`,
  fish: `if command -q cclaude\n    function claude --wraps claude --description 'claude, and it goes on by itself'\n        cclaude $argv\n    end\nend`,
  powershell: `if (Get-Command cclaude -ErrorAction Ignore) { function global:claude { cclaude @args } }`,
};

export default defineVerb({
  summary: "prints a function for your shell by which claude means cclaude",
  details: `Add the line of your shell below to its start file; take it out again, and claude is claude. Programs and
scripts that start claude are not affected. install.sh --claude-function does the same.`,
  args: { shell: shellArgument },
  examples: [
    ['eval "$(ai-runtime shell-function bash)"', "in ~/.bashrc; zsh the same with its name"],
    ["ai-runtime shell-function fish | source", "in ~/.config/fish/config.fish"],
    ["ai-runtime shell-function powershell | Out-String | Invoke-Expression", "in $PROFILE"],
  ],
  async run(args, output) {
    output.data(functions[shellNamed(args.shell)]);
  },
});
