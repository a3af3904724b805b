import { useEffect, useState } from "preact/hooks";
import type { Now } from "../../core/dashboard/contract.ts";
import { ApiError, get } from "./api.ts";

export type Connection = "connecting" | "open" | "lost" | "needs-link";

export interface Live {
  readonly now: Now | undefined;
  readonly connection: Connection;
  /** Of the conversation that the page shows; changes when a line is added. */
  readonly transcriptSize: number | undefined;
  /** The server's clock minus ours, in milliseconds. */
  readonly clockOffset: number;
}

const retryMs = 1_000;

/**
 * The state of the server, as it changes. A tab in the background has no connection and costs nothing; it catches up when it is
 * looked at again.
 */
export function useLive(sessionId: string | undefined): Live {
  const [now, setNow] = useState<Now>();
  const [connection, setConnection] = useState<Connection>("connecting");
  const [transcript, setTranscript] = useState<{ readonly of: string | undefined; readonly size: number }>();
  const [clockOffset, setClockOffset] = useState(0);
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: number | undefined;
    const close = (): void => {
      source?.close();
      source = undefined;
      clearTimeout(timer);
    };
    const open = (): void => {
      close();
      if (document.hidden) return;
      source = new EventSource(
        `/api/events${sessionId === undefined ? "" : `?session=${encodeURIComponent(sessionId)}`}`,
      );
      source.addEventListener("open", () => setConnection("open"));
      source.addEventListener("now", ({ data }: MessageEvent<string>) => {
        const value = JSON.parse(data) as Now;
        setConnection("open");
        setNow(value);
        setClockOffset(value.time - Date.now());
      });
      source.addEventListener("transcript", ({ data }: MessageEvent<string>) =>
        setTranscript({ of: sessionId, size: (JSON.parse(data) as { size: number }).size }),
      );
      source.addEventListener("error", () => {
        close();
        setConnection("lost");
        timer = window.setTimeout(() => void retry(), retryMs);
      });
    };
    const retry = async (): Promise<void> => {
      try {
        setNow(await get<Now>("now"));
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return setConnection("needs-link");
      }
      open();
    };
    document.addEventListener("visibilitychange", open);
    open();
    return () => {
      document.removeEventListener("visibilitychange", open);
      close();
    };
  }, [sessionId]);
  const transcriptSize = transcript?.of === sessionId ? transcript?.size : undefined;
  return { now, connection, transcriptSize, clockOffset };
}

/** The time on the server, once a second while the tab is visible. */
export function useClock(offset: number): number {
  const [time, setTime] = useState(Date.now());
  useEffect(() => {
    let timer: number | undefined;
    const tick = (): void => {
      clearInterval(timer);
      if (document.hidden) return;
      setTime(Date.now());
      timer = window.setInterval(() => setTime(Date.now()), 1_000);
    };
    document.addEventListener("visibilitychange", tick);
    tick();
    return () => {
      document.removeEventListener("visibilitychange", tick);
      clearInterval(timer);
    };
  }, []);
  return time + offset;
}
