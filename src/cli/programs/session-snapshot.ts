/** The hook runs after every tool call: it goes straight to its own code, past help, colours and parsing. */
export async function run(argv: string[]): Promise<void> {
  // Whatever else stands there: a usage error would be held against every tool call.
  if (argv[0] === "hook" && argv[1] !== "--help" && argv[1] !== "-h") {
    await (await import("../commands/hook.ts")).runHookCommand();
    return;
  }
  if (argv[0] === "maintain" && argv.length === 1) {
    await (await import("../commands/maintain.ts")).runMaintainCommand();
    return;
  }
  const { runProgram } = await import("../program.ts");
  await runProgram((await import("./session-snapshot-verbs.ts")).sessionSnapshot, argv);
}
