import type { RawStep } from "../../core/restart/tool-step.ts";
import { aboutCall, outputText, runsOn } from "../hooks/finished-call.ts";
import type { StreamEvent } from "./stream.ts";

/** Finds the tool calls in a stream: each when it starts and when it finishes. Calls of subagents do not count. */
export class CallReader {
  readonly #started = new Map<string, Pick<RawStep, "id" | "tool" | "about"> & { readonly input: unknown }>();

  read(event: StreamEvent): RawStep[] {
    if (event.kind === "tool" && !event.bySubagent && event.id !== "") {
      const call = { id: event.id, tool: event.name, about: aboutCall(event.input) };
      this.#started.set(call.id, { ...call, input: event.input });
      return [{ ...call, state: "started", output: "" }];
    }
    const call = event.kind === "tool-result" ? this.#started.get(event.id) : undefined;
    if (event.kind !== "tool-result" || !call) return [];
    const { id, tool, about, input } = call;
    this.#started.delete(id);
    if (!event.failed && runsOn(input, event.details)) return [];
    return [{ id, tool, about, state: event.failed ? "failed" : "completed", output: outputText(event.details) }];
  }
}
