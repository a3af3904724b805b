import type { Digest } from "./context-message.ts";

/** What Claude must know of a conversation that came from another machine. All of it is data. */
export interface Arrival {
  /** The working directory there; null when it is not known. */
  readonly from: string | null;
  readonly to: string;
  /** The time of the state of the files, in milliseconds since 1970 by the clock of that machine; null: no files came. */
  readonly filesAt: number | null;
  /** Edits and commands that finished later, or are not known to have finished: the files may lack what they did. */
  readonly files: Digest["files"];
  readonly commands: Digest["commands"];
}

/** The files have everything, and are where they were. */
export const isUneventful = ({ from, to, files, commands }: Arrival): boolean =>
  (from === null || from === to) && files.length + commands.length === 0;
