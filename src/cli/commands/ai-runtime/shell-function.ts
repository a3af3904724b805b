import { type Shell, shellArgument, shellNamed } from "../../completions/shells.ts";
import { defineVerb } from "../../programs/verb.ts";

/** If cclaude is not on PATH, they define nothing, so `claude` keeps working. */
const functions: Record<Shell, string> = {
  bash: `if command -v cclaude >/dev/null 2>&1; then claude() { cclaude "$@"; }; fi`,
  zsh: `if (( $+commands[cclaude] )); then claude() { cclaude "$@"; }; fi`,
  fish: `if command -q cclaude\n    function claude --wraps claude --description 'claude that resumes by itself'\n        cclaude $argv\n    end\nend`,
  powershell: `if (Get-Command cclaude -ErrorAction Ignore) { function global:claude { cclaude @args } }`,
};

export default defineVerb({
  summary: "prints a shell function that makes claude start cclaude",
  details: `Add the line for your shell below to its startup file; remove it to undo the change. Programs and scripts that start
claude are not affected. install.sh --claude-function does the same.`,
  args: { shell: shellArgument },
  examples: [
    ['eval "$(ai-runtime shell-function bash)"', "in ~/.bashrc; for zsh, use zsh and ~/.zshrc"],
    ["ai-runtime shell-function fish | source", "in ~/.config/fish/config.fish"],
    ["ai-runtime shell-function powershell | Out-String | Invoke-Expression", "in $PROFILE"],
  ],
  async run(args, output) {
    output.data(functions[shellNamed(args.shell)]);
  },
});
