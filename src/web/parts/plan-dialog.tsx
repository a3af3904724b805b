import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ActionDone, ActionPlan, SessionAction } from "../../core/dashboard/contract.ts";
import { post } from "../live/api.ts";
import { Command, Problem } from "./notices.tsx";

const titles: Record<SessionAction, string> = {
  restore: "Restore the conversation",
  "restore-files": "Restore the files",
  undo: "Undo the last restore",
  "undo-files": "Undo the last restore of files",
  fork: "Fork the conversation",
};

export interface Wish {
  readonly action: SessionAction;
  readonly to: string | undefined;
}

/** Shows what an action will do, and does it when the user agrees. */
export function PlanDialog({
  sessionId,
  wish,
  onClose,
  onDone,
}: {
  sessionId: string;
  wish: Wish;
  onClose: () => void;
  onDone: () => void;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const [plan, setPlan] = useState<ActionPlan>();
  const [done, setDone] = useState<ActionDone>();
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const load = (): void => {
    post<ActionPlan>(`session/${sessionId}/plan`, wish).then(setPlan, setError);
  };
  useEffect(() => {
    dialog.current?.showModal();
    load();
  }, []);
  const act = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      setDone(await post<ActionDone>(`session/${sessionId}/act`, { ...wish, seal: plan?.seal }));
      onDone();
    } catch (thrown) {
      setError(thrown as Error);
      load();
    }
    setBusy(false);
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="plan-title">
      <h2 id="plan-title">{titles[wish.action]}</h2>
      {error ? <Problem error={error} /> : null}
      {!plan && !error ? <p class="dim">making the plan…</p> : null}
      {plan && !done ? (
        <>
          <dl>
            {plan.facts.map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
          {plan.changes.length === 0 ? null : (
            <ul class="changes" tabIndex={0} aria-label="files">
              {plan.changes.map(({ path, change }) => (
                <li>
                  <b class={change}>{change}</b> {path}
                </li>
              ))}
            </ul>
          )}
          {plan.isEmpty ? <p>Everything is exactly like this already; nothing would change.</p> : null}
          <p class="small dim">The same from a terminal:</p>
          <Command text={plan.command} />
        </>
      ) : null}
      {done ? (
        <div role="status" class="done">
          <p>{done.message}</p>
          {done.next === null ? null : <Command text={done.next} />}
          {done.hostId === null ? null : (
            <p>
              <a href={`#/terminal/${done.hostId}`}>open its terminal</a>
            </p>
          )}
        </div>
      ) : null}
      <div class="actions">
        {plan && !done && !plan.isEmpty ? (
          <button type="button" class="primary" disabled={isBusy} onClick={() => void act()}>
            {isBusy ? "working…" : "do it"}
          </button>
        ) : null}
        <button type="button" onClick={() => dialog.current?.close()}>
          {done ? "close" : "cancel"}
        </button>
      </div>
    </dialog>
  );
}
