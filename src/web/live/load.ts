import { useCallback, useEffect, useState } from "preact/hooks";
import { get } from "./api.ts";

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/** What a path of the server answers; the old answer stays while a new one comes. Undefined: nothing is asked for. */
export function useLoaded<T>(path: string | undefined, version: unknown = undefined): Loaded<T> {
  const [loaded, setLoaded] = useState<{ path: string; value?: T; error?: Error }>();
  const [isLoading, setLoading] = useState(false);
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (path === undefined) return;
    const aborter = new AbortController();
    setLoading(true);
    get<T>(path, aborter.signal)
      .then(
        (value) => setLoaded({ path, value }),
        (error: unknown) => {
          if (!aborter.signal.aborted)
            setLoaded({ path, error: error instanceof Error ? error : new Error(String(error)) });
        },
      )
      .finally(() => {
        if (!aborter.signal.aborted) setLoading(false);
      });
    return () => aborter.abort();
  }, [path, version, count]);
  const reload = useCallback(() => setCount((before) => before + 1), []);
  const current = loaded?.path === path ? loaded : undefined;
  return { value: current?.value, error: current?.error, isLoading, reload };
}
