import { quickLook, quickTail } from "../../io/files/quick-look.ts";
import type { Environment } from "../environment.ts";

/** A local time. `weekday`: 0 is Sunday. */
export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly weekday: number;
}

const maxKept = 20;

/**
 * Local times of moments, kept from one status line to the next: JavaScript takes about four milliseconds for the first one, which is
 * half of everything else, and the resets of usage windows change only every few hours.
 */
export class LocalClock {
  readonly #zone: string | undefined;
  readonly #known: Map<string, ClockTime>;
  #hasNew = false;

  private constructor(zone: string | undefined, known: Map<string, ClockTime>) {
    this.#zone = zone;
    this.#known = known;
  }

  static async open({ paths, variables }: Environment): Promise<LocalClock> {
    const file = quickLook("/etc/localtime");
    const zone = variables["TZ"] ?? (file && `${file.size} ${file.modified}`);
    try {
      const kept = JSON.parse((await quickTail(paths.clockCache)) ?? "null") as {
        zone?: unknown;
        times?: object;
      } | null;
      const isSame = zone !== undefined && kept?.zone === zone;
      return new LocalClock(zone, new Map(isSame ? Object.entries(kept?.times ?? {}) : []));
    } catch {
      return new LocalClock(zone, new Map());
    }
  }

  /** `time` in milliseconds since 1970. */
  show(time: number): ClockTime {
    const known = this.#known.get(String(time));
    if (known) return known;
    const date = new Date(time);
    const shown = { hour: date.getHours(), minute: date.getMinutes(), weekday: date.getDay() };
    this.#known.set(String(time), shown);
    this.#hasNew = true;
    return shown;
  }

  /** What to keep; undefined when it is kept already, or the zone could change unnoticed. */
  get toKeep(): string | undefined {
    if (!this.#hasNew || this.#zone === undefined) return undefined;
    return JSON.stringify({ zone: this.#zone, times: Object.fromEntries([...this.#known].slice(-maxKept)) });
  }
}
