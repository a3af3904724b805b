import { Failure } from "../../core/failure.ts";
import { type Generation, type SessionView, viewSession } from "../../store/snapshots/session-view.ts";
import { chooseSession } from "../session/choose-session.ts";
import { locateTranscript } from "../session/locate-transcript.ts";
import { titleOfSession } from "../session/session-title.ts";
import { currentEnvironment } from "../environment.ts";
import { windowOfSession } from "./session-window.ts";
import type { Variables } from "../../core/variables.ts";

export type { Generation };

export interface Timeline extends SessionView {
  /** Context window in tokens: the length of a full bar. */
  window: number;
  now: number;
  /** Claude's title, else the first prompt; null when it has neither. */
  title: string | null;
}

export function listMarks(variables: Variables, session: string | undefined, cwd: string): Timeline {
  const environment = currentEnvironment(variables);
  const sessionId = chooseSession(environment, session, cwd);
  const view = viewSession(environment.paths, sessionId);
  if (!view) {
    throw new Failure("corrupt", `the state of session ${sessionId} cannot be read`, {
      hint: "The next snapshot sets it aside and starts a new one; the copy of the transcript is kept.",
    });
  }
  const title = titleOfSession(locateTranscript(environment, sessionId, view.transcriptPath), view) ?? null;
  return { ...view, window: windowOfSession(environment, view), now: environment.now(), title };
}
