import { describeSetting } from "../../app/settings.ts";
import type { HelpPage } from "./help.ts";

const environmentRows = (
  ["claudeBinary", "direct", "cclaudeNoWait", "waitSeconds", "cclaudeRetrySeconds"] as const
).map((key) => {
  const { variable = key, meaning, defaultText } = describeSetting(key);
  return [variable, `${meaning} Default: ${defaultText}.`] as const;
});

export const cclaudePage: HelpPage = {
  name: "cclaude",
  summary: "claude that resumes after an overload, a crash or a usage limit",
  usage: "cclaude [arguments of claude]",
  details: `Arguments, input, output, terminal, signals and exit code are those of claude; see claude --help for its flags.
When claude ends, cclaude acts on the reason:
  you quit, or -p is done    exits with the same exit code; asks first when the conversation no longer fits its context
  the context overflowed     restores the newest snapshot that fits, tells Claude what came after it, and resumes
  a crash or a failing API   resumes, at most three times without an answer in between
  a usage limit              waits for the reset, then resumes; Ctrl-C stops waiting
  login, credit, bad flags   exits with the same exit code and one line of help
On a Linux terminal, claude runs in a host that outlives the terminal: Ctrl-\\ d leaves it running in the background, and
ai-runtime attach shows it in any terminal. When the context is full, Ctrl-\\ r restores; Ctrl-\\ ? shows the keys.
Before it opens an existing conversation (--continue, --resume ID) that is open elsewhere, cclaude asks whether to attach
to it, to wait for its end, to fork it or to open it anyway; without a terminal, and with -p, it exits with 5.
A restart uses the flags of the first start, never more. If session-snapshot's hooks are not installed, cclaude
adds them for this session with --settings.`,
  sections: [
    {
      title: "Environment",
      rows: environmentRows,
    },
    {
      title: "Options",
      rows: [
        ["--direct", "run in this terminal itself, without a host"],
        ["--detachable", "run in a host, whatever the settings say"],
        ["--adopt", "continue here what a claude in another terminal has open: asks how, as it cannot be moved"],
      ],
    },
    {
      title: "Options (only when given alone; otherwise claude gets them)",
      rows: [
        ["--explain", "show what cclaude did when claude last ended, and why"],
        ["--help", "show this help"],
        ["--version", "print the name and version"],
      ],
    },
  ],
  examples: [
    ["cclaude --continue", "continues the last conversation of this directory"],
    ['cclaude -p "list the tests" --output-format json', "prints one answer, like claude -p"],
    ["cclaude --direct", "ends with the terminal, like claude"],
    ["CCLAUDE_NO_WAIT=1 cclaude -p go", "exits at a limit, for a script that waits by itself"],
  ],
};
