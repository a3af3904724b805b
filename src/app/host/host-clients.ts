import { encodeFrame, maxFrameBytes, type Size } from "../../core/host/frames.ts";
import type { HostLine } from "../../core/host/host-line.ts";
import { commonSize } from "../../core/host/terminal-size.ts";
import type { HostClient } from "./host-client.ts";

/** The terminals that are connected to a host. */
export class HostClients {
  readonly all = new Set<HostClient>();
  /** The client whose terminal answers the program's queries. */
  #leader: HostClient | undefined;
  #notices = "";
  #isBetween = true;

  /** How many have sent their size, and so show the program. */
  get terminals(): number {
    return [...this.all].filter(({ size }) => size !== undefined).length;
  }

  /** The size of the smallest terminal. */
  get commonSize(): Size | undefined {
    return commonSize([...this.all].flatMap(({ size }) => size ?? []));
  }

  /** One of them gets the program's own bytes. */
  get hasDirect(): boolean {
    return [...this.all].some((client) => client.isDirect);
  }

  /** Shows the line in all of them, with the keys of each; undefined removes it. */
  showLine(line: HostLine | undefined): void {
    for (const client of this.all) if (client.size !== undefined) client.showLine(line);
  }

  /** Several terminals may see the program's queries; only the leader's replies are passed on. */
  answersQueries(client: HostClient): boolean {
    if (!client.isDirect) return false;
    if (!this.#leader?.isDirect || !this.all.has(this.#leader)) this.#leader = client;
    return this.#leader === client;
  }

  /** Sends bytes that do not change the screen, such as a notification, between two sequences of the program. */
  notify(bytes: string): void {
    this.#notices += bytes;
    this.#sendNotices();
  }

  /** The model has processed the last output. `isBetween`: that ended with a whole sequence, which bytes of ours do not break. */
  onModelUpdated(isBetween: boolean): void {
    for (const client of this.all) client.onModelUpdated();
    this.#isBetween = isBetween;
    this.#sendNotices();
  }

  #sendNotices(): void {
    if (this.#notices === "" || !this.#isBetween) return;
    const frame = encodeFrame({ kind: "output", bytes: new TextEncoder().encode(this.#notices) });
    this.#notices = "";
    for (const client of this.all) client.notice(frame);
  }

  /** Sends output of the program to all of them. */
  output(bytes: Uint8Array): void {
    if (this.all.size === 0) return;
    for (let at = 0; at < bytes.length; at += maxFrameBytes) {
      const frame = encodeFrame({ kind: "output", bytes: bytes.subarray(at, at + maxFrameBytes) });
      for (const client of this.all) client.output(frame);
    }
  }
}
