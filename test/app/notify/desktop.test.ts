// The desktop on three systems: stand-ins on the PATH record how they are called.
import { expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sendToDesktop } from "../../../src/app/notify/send.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { scratchDirectory } from "../../support/scratch-directory.ts";

const scratch = scratchDirectory();
const { settings } = readSettings(undefined, {});
const text = 'run x is done · "quoted" $HOME · <b>';
const message = { event: "done", title: "ai-runtime: Done", text, items: [], isTerse: false } as const;

function standIns(directory: string, exitCode: number): void {
  for (const name of ["notify-send", "osascript", "powershell"]) {
    const script = `#!/bin/sh\n{ echo ${name}; printf '%s\\n' "$@"; echo "$AI_RUNTIME_NOTIFY_TITLE|$AI_RUNTIME_NOTIFY_TEXT"; } >${directory}/call\nexit ${exitCode}\n`;
    writeFileSync(join(directory, name), script);
    chmodSync(join(directory, name), 0o755);
  }
}

test.each([
  ["linux", "notify-send", ["--app-name=ai-runtime", "--", message.title, text.replace("<b>", "&lt;b&gt;")]],
  ["darwin", "osascript", ["end run", message.title, text]],
  ["windows", "powershell", [`${message.title}|${text}`]],
] as const)("%s calls %s with the texts as data", async (system, program, expected) => {
  standIns(scratch("."), 0);
  const variables = { PATH: `${scratch(".")}:/usr/bin:/bin` };
  expect(await sendToDesktop(system, message, { settings, variables })).toEqual({ ok: true });
  const [called, ...words] = readFileSync(scratch("call"), "utf8").trimEnd().split("\n");
  expect(called).toBe(program);
  expect(words).toEqual(expect.arrayContaining([...expected]));
});

test("a program that fails or is missing is a failed delivery", async () => {
  const sending = { settings, variables: { PATH: scratch(".") } };
  expect(await sendToDesktop("linux", message, sending)).toMatchObject({
    ok: false,
    message: expect.stringContaining("notify-send cannot be started"),
  });
  standIns(scratch("."), 3);
  expect(await sendToDesktop("darwin", message, sending)).toMatchObject({
    ok: false,
    message: "osascript ended with exit code 3",
  });
});
