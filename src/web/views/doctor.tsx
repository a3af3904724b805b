import type { JSX } from "preact";
import type { Finding } from "../../core/dashboard/contract.ts";
import { useLoaded } from "../live/load.ts";
import { Command, Problem } from "../parts/notices.tsx";

const order: readonly Finding["state"][] = ["failed", "warning", "ok"];

export function DoctorView(): JSX.Element {
  const { value, error, isLoading, reload } = useLoaded<readonly Finding[]>("doctor");
  const findings = [...(value ?? [])].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <>
      <h1>Doctor</h1>
      <p>
        <button type="button" disabled={isLoading} onClick={reload}>
          {isLoading ? "checking…" : "check again"}
        </button>
      </p>
      {error ? <Problem error={error} /> : null}
      <ul class="findings" aria-busy={isLoading}>
        {findings.map(({ name, state, message, fix }) => (
          <li class={`finding ${state}`}>
            <span class="state">{state}</span>
            <div>
              <b>{name}</b> {message}
              {fix === null ? null : <Command text={fix} />}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
