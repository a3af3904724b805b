import { contextWindow } from "../core/context-window.ts";
import { Failure } from "../core/failure.ts";
import { allMarks, type Generation, type SessionView, viewSession } from "../store/session-view.ts";
import { chooseSession } from "./choose-session.ts";
import { currentEnvironment } from "./environment.ts";

export type { Generation };

export interface Timeline extends SessionView {
  /** In tokens: what a full bar stands for. */
  window: number;
  now: number;
}

export function listMarks(
  variables: Record<string, string | undefined>,
  session: string | undefined,
  cwd: string,
): Timeline {
  const environment = currentEnvironment(variables);
  const sessionId = chooseSession(environment, session, cwd);
  const view = viewSession(environment.paths, sessionId);
  if (typeof view === "string") {
    throw new Failure("corrupt", `the state of session ${sessionId} cannot be read`, {
      hint: "The next snapshot sets it aside and starts anew; its copy of the transcript is kept.",
    });
  }
  return { ...view, window: contextWindow(allMarks(view).map((mark) => mark.contextTokens)), now: environment.now() };
}
