const dayMs = 86_400_000;

/** The local time; with the date when it is not within a day. */
export function clockOf(time: number): string {
  const date = new Date(time);
  const clock = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
  if (Math.abs(time - Date.now()) < dayMs) return clock;
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${clock}`;
}

/** Minutes since midnight, local time. */
export function minuteOf(time: number): number {
  const date = new Date(time);
  return date.getHours() * 60 + date.getMinutes();
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");
