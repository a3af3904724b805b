/** Hooks and the status line run all the time: they go straight to their own code, past help, colours and parsing. So do hosts. */
export async function run(argv: string[]): Promise<void> {
  const [first, ...rest] = argv;
  // Whatever else stands there: a usage error has exit code 2, by which Claude lets a hook block a prompt.
  if (first === "hook" && rest[0] !== "--help" && rest[0] !== "-h") {
    const jobs = { snapshots: true, checkpoints: true, fromPlugin: rest.includes("--plugin") };
    await (await import("../commands/hook.ts")).runHookCommand(jobs);
    return;
  }
  if (first === "statusline" && !rest.includes("--help") && !rest.includes("-h")) {
    await (await import("../commands/statusline.ts")).runStatusLine(rest);
    return;
  }
  if (first === "demo-claude") {
    await (await import("../commands/demo-claude.ts")).runDemoClaude(rest);
    return;
  }
  if (first === "host" && rest[0] !== undefined) {
    await (await import("../commands/host.ts")).runHostCommand(rest[0]);
    return;
  }
  if (first === "supervise" && rest.length === 2) {
    await (await import("../commands/supervise.ts")).runSupervise(rest[0] ?? "", rest[1] ?? "");
    return;
  }
  if (first === "service" && rest[0] === "run" && rest.length === 2) {
    await (await import("../commands/service-run.ts")).runServiceCommand(rest[1] ?? "");
    return;
  }
  const { runProgram } = await import("../program.ts");
  const { aiRuntime, checkpoint, service } = await import("./ai-runtime-verbs.ts");
  if (first === "checkpoint") await runProgram(checkpoint, rest);
  else if (first === "service") await runProgram(service, rest);
  else await runProgram(aiRuntime, argv);
}
