import { chooseProgram } from "./cli/programs/choose-program.ts";

const { program, argv } = chooseProgram(process.argv0, process.argv.slice(2));

// Each program is its own chunk: the hook runs after every tool call and must not pay for the others.
switch (program) {
  case "session-snapshot":
    await (await import("./cli/programs/session-snapshot.ts")).runSessionSnapshot(argv);
    break;
  case "cclaude":
    await (await import("./cli/programs/cclaude.ts")).runCclaude(argv);
    break;
  case "ai-runtime":
    await (await import("./cli/programs/ai-runtime.ts")).runAiRuntime(argv);
    break;
}
