// A program of another user that listens on a host's socket and plays a host. Starting it needs root.
import { chownSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { encodeFrame, protocolVersion } from "../../../src/core/host/frames.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { untilFile } from "../until-file.ts";

export const isRoot = process.geteuid?.() === 0;
export const anotherUser = 65_534;
export const impostorText = "the impostor's screen";

/**
 * Replaces the directory of a socket and listens there as another user. With `asOurs`, directory and socket then look like this
 * user's own, so that only the connection tells whose process listens. Returns what the impostor received so far.
 */
export async function startImpostor(
  sandbox: Sandbox,
  path: string,
  { asOurs = false }: { readonly asOurs?: boolean } = {},
): Promise<() => string> {
  const directory = dirname(path);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  chownSync(directory, anotherUser, anotherUser);
  const received = `${directory}/received`;
  const greeting = [
    ...encodeFrame({ kind: "welcome", version: protocolVersion }),
    ...encodeFrame({ kind: "output", bytes: new TextEncoder().encode(impostorText) }),
  ];
  sandbox.spawn(
    [
      process.execPath,
      "-e",
      `import { appendFileSync } from "node:fs";
      process.chdir(${JSON.stringify(directory)});
      process.setgroups([]); process.setgid(${anotherUser}); process.setuid(${anotherUser});
      Bun.listen({ unix: ${JSON.stringify(path.slice(directory.length + 1))}, socket: {
        open: (socket) => void socket.write(Uint8Array.from(${JSON.stringify(greeting)})),
        data: (_, bytes) => appendFileSync("received", bytes),
      } });
      appendFileSync("received", "");`,
    ],
    { cwd: "/" },
  );
  await untilFile(received, () => true);
  if (asOurs) for (const each of [directory, path]) chownSync(each, 0, 0);
  return () => readFileSync(received, "utf8");
}
