import { chooseProgram } from "./cli/choose-program.ts";

const { program, argv } = chooseProgram(process.argv0, process.argv.slice(2));

// Each program is its own chunk: the hook runs after every tool call and must not pay for the others.
switch (program) {
  case "session-snapshot":
    await (await import("./cli/programs/session-snapshot.ts")).run(argv);
    break;
  case "cclaude":
    await (await import("./cli/programs/cclaude.ts")).run(argv);
    break;
  case "ai-runtime":
    await (await import("./cli/programs/ai-runtime.ts")).run(argv);
    break;
}
