const programs = ["ai-runtime", "cclaude", "session-snapshot"] as const;
export type Program = (typeof programs)[number];

export interface ProgramChoice {
  program: Program;
  argv: string[];
}

/** One executable is three programs: chosen by the name it was started as, else by its first argument. */
export function chooseProgram(invokedAs: string, argv: readonly string[]): ProgramChoice {
  const name = programNamed(baseName(invokedAs));
  if (name === "cclaude" || name === "session-snapshot") return { program: name, argv: [...argv] };
  const first = argv[0] === undefined ? undefined : programNamed(argv[0]);
  if (first) return { program: first, argv: argv.slice(1) };
  return { program: "ai-runtime", argv: [...argv] };
}

// Windows accepts both slashes, adds .exe and ignores case.
function baseName(path: string): string {
  const last = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  return last.toLowerCase().endsWith(".exe") ? last.slice(0, -4).toLowerCase() : last;
}

function programNamed(name: string): Program | undefined {
  return programs.find((program) => program === name);
}
