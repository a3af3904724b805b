/** One text that Claude's terminal interface shows. */
type ScreenText = readonly [pattern: RegExp, seenIn: string, example: string];

/** What a text on the screen means. A new text is one new line; the test checks its example. */
export const screenTexts = {
  /** The title of a menu, which swallows typed text. */
  menu: [[/What do you want to do\?/, "2.1.36-2.1.326", "What do you want to do?"]],
  /** Claude waits for a limit to reset and then continues on its own. */
  ownWait: [
    [/continuing automatically at/, "2.1.238-2.1.326", "Usage limit reached · continuing automatically at 2:54am"],
    [/Continuing automatically at/, "2.1.326", "Continuing automatically at 11:11pm · Esc to cancel"],
    [/continue automatically at/, "2.1.325", "Wait here, then continue automatically at Nov 19, 1:51pm"],
  ],
  /** The user has canceled that wait. When only its process ended, the wait was not canceled. */
  ownWaitCanceled: [
    [
      /Automatic continue cancelled(?! · Claude Code (?:exited|relaunched))/,
      "2.1.325-2.1.326",
      "Automatic continue cancelled · /rate-limit-options to re-arm",
    ],
  ],
  /** Claude works and can be interrupted. */
  working: [[/\besc to interrupt\b/i, "2.1.36-2.1.326", "esc to interrupt · ← for agents"]],
  /** Claude asks, when it is told to exit, whether its background tasks may stop. */
  exitDialog: [[/^\s*Background work is running$/, "2.1.326", "  Background work is running"]],
  /** Claude asks whether it may do something. */
  permission: [
    [/^\s*(?:│\s*)?Do you want to\b/, "2.1.36-2.1.326", " Do you want to proceed?"],
    [
      /^\s*Quick safety check: Is this a project\b/,
      "2.1.36-2.1.326",
      " Quick safety check: Is this a project you created or one you trust?",
    ],
  ],
  /** The last line of a dialog. */
  confirm: [[/^\s*Enter to confirm\b/, "2.1.36-2.1.326", " Enter to confirm · Esc to cancel"]],
  /** Claude offers answers to a question. */
  choice: [[/^\s*Enter to select\b/, "2.1.36-2.1.326", "Enter to select · ↑/↓ to navigate · Esc to cancel"]],
  /** Claude waits for an answer of the user. */
  question: [
    [/[❯>] ?\d\. /, "2.1.36-2.1.326", "❯ 1. Yes"],
    [/\bDo you want\b/, "2.1.36-2.1.326", "Do you want to proceed?"],
    [/\bWould you like\b/, "2.1.36-2.1.326", "Would you like to proceed?"],
    [/\bEnter to confirm\b/, "2.1.36-2.1.326", "Enter to confirm · Esc to cancel"],
    [/\bEnter to select\b/, "2.1.36-2.1.326", "Enter to select · Tab to navigate"],
    [/\bEnter to continue\b/, "2.1.36", "Press Enter to continue…"],
    [/\bEsc to cancel\b/, "2.1.36-2.1.326", "Tab to amend · Esc to cancel"],
    [/\bEsc to exit\b/, "2.1.36", "Esc to exit"],
  ],
} as const satisfies Record<string, readonly ScreenText[]>;

export function shows(kind: keyof typeof screenTexts, text: string): boolean {
  return screenTexts[kind].some(([pattern]) => pattern.test(text));
}

/**
 * The line above the prompt while the client waits inside its process: 2.1.326 `✻ 5-hour limit reached · retrying in 11s (1:37am) ·
 * attempt 1/1` and `✻ 529 Overloaded · retrying in 5s · attempt 4/1`, 2.1.197 with a capital R. It starts with a turning sign.
 */
export const retryLine =
  /^[^\w\s●⏺❯>⎿] .*?(?<limit>\blimit reached)? · [Rr]etrying in (?<left>[\ddhms ]+?)(?: \((?<reset>[^)]+)\))?(?: · attempt (?<attempt>\d+)\/(?<maxAttempts>\d+))?\s*$/;

/** The line to type on: its sign, in a box up to 2.0, and the text after it. */
export const promptLine = /^\s*(?:│\s*)?[>❯](?:\s(.*))?$/;
export const boxEnd = /│\s*$/;
/** The line below the prompt. */
export const promptEdge = /^\s*(?:─|╰)─/;
/** The selected entry of a menu. */
export const selectedEntry = /[>❯]\s*\d\./;
