import type { StreamEvent } from "./stream.ts";

/** The commands and subagents that Claude started in the background and whose end it has not yet received. */
export class BackgroundTasks {
  #running = new Map<string, string>();

  /** What each one does, in Claude's words. */
  get running(): readonly string[] {
    return [...this.#running.values()];
  }

  take(event: StreamEvent): void {
    if (event.kind === "tasks") this.#running = new Map(event.running.map(({ id, about }) => [id, about]));
    else if (event.kind === "task-started") this.#running.set(event.id, event.about);
    else if (event.kind === "task-ended") this.#running.delete(event.id);
  }
}
