import type { HelpPage } from "./help.ts";

export const cclaudePage: HelpPage = {
  name: "cclaude",
  summary: "claude, and it goes on by itself",
  usage: "cclaude [anything that claude takes]",
  details: `Arguments, input, output, terminal, signals and exit code are claude's own; see claude --help for its flags.
When claude ends, cclaude looks at why:
  you left, or -p is done    ends with the same exit code
  the context overflowed     restores the newest snapshot that fits, tells Claude what came after it, resumes
  a crash or a failing API   resumes, three times at most without an answer in between
  a usage limit              waits for the reset, then resumes; Ctrl-C stops waiting
  login, credit, bad flags   ends with the same exit code and one line of help
A restart has the flags of the first start, never more. Where session-snapshot's hooks are not installed, cclaude brings
them along for the run by --settings.`,
  sections: [
    {
      title: "Environment",
      rows: [
        ["CCLAUDE_CLAUDE_BIN", "the claude to start, instead of the first one on PATH"],
        ["CCLAUDE_NO_WAIT", "1: at a limit, end with exit code 75 instead of waiting"],
        ["AI_RUNTIME_WAIT_SECONDS", "how long to wait at a limit that does not say when it ends (3600)"],
        ["CCLAUDE_RETRY_SECONDS", "before the first restart after a crash (1, with -p 5); doubles each time"],
      ],
    },
    {
      title: "Options",
      rows: [
        ["--detachable", "in a terminal that outlives this one: Ctrl-\\ d leaves it, ai-runtime attach finds it again"],
      ],
    },
    {
      title: "Options (alone; otherwise they are claude's)",
      rows: [
        ["--explain", "show what cclaude did when a claude last ended, and on what evidence"],
        ["--help", "show this help"],
        ["--version", "print name and version"],
      ],
    },
  ],
  examples: [
    ["cclaude --continue", "goes on with the last conversation here"],
    ['cclaude -p "list the tests" --output-format json', "one answer, as claude -p"],
    ["cclaude --detachable --continue", "the same, and it lives on when the terminal is closed"],
    ["CCLAUDE_NO_WAIT=1 cclaude -p go", "for a script that does its own waiting"],
  ],
};
