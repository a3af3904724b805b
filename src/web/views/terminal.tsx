import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Card } from "../../core/dashboard/contract.ts";
import { letTerminalStyle } from "../parts/terminal-styles.ts";

/** What a phone's keyboard lacks. */
const keys: readonly [name: string, bytes: string][] = [
  ["Esc", "\u001b"],
  ["Tab", "\t"],
  ["⇧Tab", "\u001b[Z"],
  ["↑", "\u001b[A"],
  ["↓", "\u001b[B"],
  ["Enter", "\r"],
  ["Ctrl-C", "\u0003"],
];

const narrowWidth = 600;
const retryMs = 1_000;

/** A hosted Claude, live. It takes keys only after a click into it, and until it loses the focus. */
export default function TerminalView({
  id,
  card,
  isReadOnly,
}: {
  id: string;
  card: Card | undefined;
  isReadOnly: boolean;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const attached = useRef<Attached>(undefined);
  const [isTyping, setTyping] = useState(false);
  const [state, setState] = useState("connecting…");
  useEffect(() => {
    if (!box.current) return undefined;
    const own = attach(id, box.current, setState);
    attached.current = own;
    return () => own.close();
  }, [id]);
  useEffect(() => {
    if (attached.current) attached.current.setTyping(isTyping && !isReadOnly);
  }, [isTyping, isReadOnly]);
  return (
    <div class="terminal-view">
      <h1>{card?.title || id}</h1>
      <p class="dim small" role="status">
        {card ? `${card.words} · ` : ""}
        {state}
        {isReadOnly ? " · read-only" : isTyping ? " · your keys go to Claude" : " · click into it to type"}
      </p>
      <div
        ref={box}
        class={isTyping && !isReadOnly ? "screen typing" : "screen"}
        onClick={() => setTyping(true)}
        onFocusOut={({ relatedTarget }) => {
          const isKey = relatedTarget instanceof Element && relatedTarget.closest(".keys") !== null;
          if (!isKey) setTyping(false);
        }}
      />
      {isReadOnly ? null : (
        <div class="keys bar">
          {keys.map(([name, bytes]) => (
            <button
              type="button"
              aria-label={`send ${name}`}
              onClick={() => {
                setTyping(true);
                attached.current?.type(bytes);
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

interface Attached {
  setTyping(isTyping: boolean): void;
  type(bytes: string): void;
  close(): void;
}

/** The page is a client like any other terminal: the smallest one sets the size. */
function attach(id: string, box: HTMLElement, report: (state: string) => void): Attached {
  letTerminalStyle();
  const terminal = new Terminal({
    fontSize: box.clientWidth < narrowWidth ? 11 : 14,
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    disableStdin: true,
    scrollback: 5_000,
    theme: { background: "#16181d", foreground: "#e6e6e6" },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(box);
  const encoder = new TextEncoder();
  let socket: WebSocket | undefined;
  let timer: number | undefined;
  let isClosed = false;
  const send = (message: string | Uint8Array<ArrayBuffer>): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(message);
  };
  const resize = (): void => {
    fit.fit();
    send(JSON.stringify({ columns: terminal.cols, rows: terminal.rows }));
  };
  const connect = (): void => {
    const own = new WebSocket(`ws://${location.host}/api/terminal/${encodeURIComponent(id)}`);
    let isOver = false;
    own.binaryType = "arraybuffer";
    socket = own;
    own.addEventListener("open", () => {
      terminal.reset();
      report("attached");
      resize();
    });
    own.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data !== "string") return terminal.write(new Uint8Array(data));
      isOver = true;
      const said = JSON.parse(data) as { problem?: string; ended?: { exitCode: number } };
      report(said.problem ?? `ended with code ${said.ended?.exitCode ?? 0}`);
    });
    own.addEventListener("close", () => {
      if (isClosed || isOver) return;
      report("not connected; trying again…");
      timer = window.setTimeout(connect, retryMs);
    });
  };
  terminal.onData((text) => send(encoder.encode(text)));
  const observer = new ResizeObserver(resize);
  observer.observe(box);
  connect();
  return {
    setTyping: (isTyping) => {
      terminal.options.disableStdin = !isTyping;
      if (isTyping) terminal.focus();
    },
    type: (bytes) => {
      send(encoder.encode(bytes));
      terminal.focus();
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      observer.disconnect();
      socket?.close();
      terminal.dispose();
    },
  };
}
