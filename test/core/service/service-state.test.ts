import { expect, test } from "bun:test";
import { parseServiceState, type ServiceState } from "../../../src/core/service/service-state.ts";

const systemd = (fields: Record<string, string>): ServiceState =>
  parseServiceState("linux", {
    exitCode: 0,
    stdout: Object.entries({ LoadState: "loaded", MainPID: "0", NRestarts: "0", Result: "success", ...fields })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  });

test("reads the states of systemd", () => {
  const running = systemd({
    ActiveState: "active",
    SubState: "running",
    MainPID: "42",
    NRestarts: "2",
    StatusText: "claude plain: a=b",
  });
  expect(running).toEqual({ state: "running", pid: 42, restarts: 2, lastExitCode: null, detail: "claude plain: a=b" });
  expect(systemd({ ActiveState: "activating", SubState: "auto-restart" }).state).toBe("restarting");
  expect(systemd({ ActiveState: "activating", SubState: "start" }).state).toBe("starting");
  expect(systemd({ ActiveState: "inactive", SubState: "dead" }).state).toBe("stopped");
  expect(systemd({ LoadState: "not-found", ActiveState: "inactive" }).state).toBe("missing");
  expect(systemd({ ActiveState: "failed", Result: "exit-code", ExecMainStatus: "1" })).toMatchObject({
    state: "failed",
    lastExitCode: 1,
    detail: "exit-code",
  });
});

test("reads the states of launchd", () => {
  const print = (lines: string): ServiceState =>
    parseServiceState("darwin", { exitCode: 0, stdout: `gui/501/ai-runtime.x = {\n${lines}}\n` });
  expect(print("\tstate = running\n\tpid = 42\n\truns = 3\n\tendpoints = {\n\t\tstate = other\n\t}\n")).toMatchObject({
    state: "running",
    pid: 42,
    restarts: 2,
  });
  expect(print("\tstate = not running\n\truns = 1\n\tlast exit code = 1\n")).toMatchObject({
    state: "failed",
    lastExitCode: 1,
  });
  expect(print("\tstate = spawn scheduled\n\tlast exit code = 1\n").state).toBe("restarting");
  expect(parseServiceState("darwin", { exitCode: 113, stdout: "" }).state).toBe("missing");
});

test("reads the English states of the Task Scheduler; other languages are unknown", () => {
  const query = (status: string): ServiceState =>
    parseServiceState("windows", {
      exitCode: 0,
      stdout: `HostName:      DESK\r\nStatus:        ${status}\r\nLast Result:   1\r\n`,
    });
  expect(query("Running")).toMatchObject({ state: "running", lastExitCode: 1 });
  expect(query("Ready").state).toBe("stopped");
  expect(query("Wird ausgeführt").state).toBe("unknown");
  expect(parseServiceState("windows", { exitCode: 1, stdout: "" }).state).toBe("missing");
});

test("without an answer from the system the state is unknown, not stopped", () => {
  expect(parseServiceState("linux", undefined).state).toBe("unknown");
  expect(parseServiceState("linux", { exitCode: 1, stdout: "" }).state).toBe("unknown");
});
