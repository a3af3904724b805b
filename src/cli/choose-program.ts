const programs = ["ai-runtime", "cclaude", "session-snapshot"] as const;
export type Program = (typeof programs)[number];

export interface Choice {
  program: Program;
  argv: string[];
}

/** One executable, three names: by the name it was started under, else by its first word. */
export function chooseProgram(invokedAs: string, argv: readonly string[]): Choice {
  const name = programNamed(baseName(invokedAs));
  if (name === "cclaude" || name === "session-snapshot") return { program: name, argv: [...argv] };
  const first = argv[0] === undefined ? undefined : programNamed(argv[0]);
  if (first) return { program: first, argv: argv.slice(1) };
  return { program: "ai-runtime", argv: [...argv] };
}

// Windows separates with either slash and adds .exe; its file names are the same in any case.
function baseName(path: string): string {
  const last = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return last.toLowerCase().endsWith(".exe") ? last.slice(0, -4).toLowerCase() : last;
}

function programNamed(name: string): Program | undefined {
  return programs.find((program) => program === name);
}
