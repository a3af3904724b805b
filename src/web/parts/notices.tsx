import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../live/api.ts";

export function Problem({ error }: { error: Error }): JSX.Element {
  return (
    <p class="problem" role="alert">
      {error.message}
      {error instanceof ApiError && error.hint !== null ? <span class="hint"> {error.hint}</span> : null}
    </p>
  );
}

export function Empty({ children }: { children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}

const shownMs = 1_500;

/** A command line with a button that copies it. */
export function Command({ text }: { text: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  };
  return (
    <div class="command">
      <code tabIndex={0}>{text}</code>
      <button type="button" class="quiet" onClick={() => void copy()} aria-label={`copy: ${text}`}>
        {isCopied ? "copied" : "copy"}
      </button>
    </div>
  );
}
