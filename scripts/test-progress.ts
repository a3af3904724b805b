// Turns the output of `bun test` into progress: files begun of all, and everything that is not about a passed test.

const progressSteps = 20;

/** Takes the output line by line; returns the lines to print. `elapsed` names the time since the start. */
export function testProgress(fileCount: number, elapsed: () => string): (line: string) => string[] {
  const begun = new Set<string>();
  let stepsShown = 0;
  let header: string | undefined;
  let isInTitle = false;
  return (line) => {
    if (/^test\/\S+\.test\.ts:$/.test(line)) {
      header = line;
      // The name comes again when the output of another file stood between.
      begun.add(line);
      const steps = Math.floor((begun.size * progressSteps) / fileCount);
      if (steps === stepsShown) return [];
      stepsShown = steps;
      return [`${begun.size} of ${fileCount} files, ${elapsed()}`];
    }
    const isQuiet = /^\((pass|skip|todo)\) /.test(line) || (isInTitle && !line.startsWith("(fail) "));
    // The title of a test may show an object, over several lines.
    if (isQuiet) isInTitle = line.endsWith("{") || (isInTitle && !line.startsWith("}"));
    if (isQuiet || line === "") return [];
    const isSummary = /^ +\d+ \w+/.test(line);
    const lines = header === undefined || isSummary ? [line] : ["", header, line];
    header = undefined;
    return lines;
  };
}
