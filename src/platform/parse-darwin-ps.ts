// Checks the shape, because Date.parse accepts almost anything.
const LINE = /^(\S+)\s+([A-Z][a-z]{2}\s+[A-Z][a-z]{2}\s+\d{1,2}\s+\d{2}:\d{2}:\d{2}\s+\d{4})$/;

/**
 * `ps -o stat= -o lstart=` under LC_ALL=C and TZ=UTC → start time in seconds since 1970;
 * undefined for a process that is dead but not yet reaped.
 */
export function parseDarwinPs(text: string): string | undefined {
  const [, state = "", started = ""] = LINE.exec(text.trim()) ?? [];
  const milliseconds = Date.parse(`${started} UTC`);
  if (Number.isNaN(milliseconds)) throw new Error(`not a line of ps: ${JSON.stringify(text.slice(0, 80))}`);
  return state.startsWith("Z") ? undefined : String(milliseconds / 1000);
}
