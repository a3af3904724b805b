// Turns the output of `bun test` into progress: files done of all, and everything that is not about a passed test.

const progressSteps = 20;

/** Takes the output line by line; returns the lines to print. `elapsed` names the time since the start. */
export function testProgress(fileCount: number, elapsed: () => string): (line: string) => string[] {
  let filesDone = 0;
  let stepsShown = 0;
  let header: string | undefined;
  return (line) => {
    if (/^test\/\S+\.test\.ts:$/.test(line)) {
      header = line;
      filesDone++;
      const steps = Math.floor((filesDone * progressSteps) / fileCount);
      if (steps === stepsShown) return [];
      stepsShown = steps;
      return [`${filesDone} of ${fileCount} files, ${elapsed()}`];
    }
    if (line === "" || /^\((pass|skip|todo)\) /.test(line)) return [];
    const lines = header === undefined ? [line] : ["", header, line];
    header = undefined;
    return lines;
  };
}
