// The server of the dashboard over plain HTTP: who gets in, and what each answer carries.
import { expect, test } from "bun:test";
import { connect } from "node:net";
import { join } from "node:path";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { StartedDashboard } from "../../support/dashboard/started-dashboard.ts";
import { HookWorld } from "../../support/worlds/hook-world.ts";

const start = (world: HookWorld, words?: readonly string[]): Promise<StartedDashboard> =>
  StartedDashboard.start({ env: world.env, cwd: world.home }, words);

/** Sends exactly these lines, which fetch would correct. */
async function sendRaw(port: string, lines: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(Number(port), "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n`));
  let text = "";
  socket.on("data", (bytes) => (text += bytes.toString()));
  socket.on("end", () => resolve(text));
  socket.on("error", reject);
  return promise;
}

test("a link lets in once, and its cookie is for this page only", async () => {
  using world = new HookWorld();
  await using dashboard = await start(world);
  const first = await fetch(dashboard.link);
  expect(first.status).toBe(200);
  expect(first.headers.get("set-cookie")).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  expect((await fetch(dashboard.link)).status).toBe(401);
  const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const page = await fetch(dashboard.address, { headers: { cookie } });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html;charset=utf-8"]);
  const changed = cookie.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  for (const wrong of ["", changed, "ai-runtime-dashboard=", "ai-runtime-dashboard=x.y.z"]) {
    const answer = await fetch(`${dashboard.address}/api/now`, { headers: { cookie: wrong } });
    expect([wrong, answer.status]).toEqual([wrong, 401]);
  }
});

test("every answer forbids inline code, frames and other origins, and allows no other page to read it", async () => {
  using world = new HookWorld();
  await using dashboard = await start(world);
  const cookie = await dashboard.enter();
  const html = await (await fetch(dashboard.address, { headers: { cookie } })).text();
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? "");
  expect(files.length).toBeGreaterThanOrEqual(2);
  for (const path of ["/", ...files, "/api/now", "/nothing", "/enter?token=x"]) {
    const { headers } = await fetch(`${dashboard.address}${path}`, { headers: { cookie } });
    const policy = headers.get("content-security-policy") ?? "";
    expect([path, policy.includes("default-src 'none'"), policy.includes("unsafe")]).toEqual([path, true, false]);
    expect([path, headers.get("access-control-allow-origin")]).toEqual([path, null]);
    expect([path, headers.get("x-content-type-options"), headers.get("referrer-policy")]).toEqual([
      path,
      "nosniff",
      "no-referrer",
    ]);
  }
  expect(html).not.toMatch(/<script>|<style>|style="|https?:\/\//);
});

test("requests of foreign pages, names and methods are refused", async () => {
  using world = new HookWorld();
  await using dashboard = await start(world);
  const cookie = await dashboard.enter();
  const { address, port } = dashboard;
  const status = async (path: string, headers: Record<string, string>, options: RequestInit = {}): Promise<number> =>
    (await fetch(`${address}${path}`, { ...options, headers: { cookie, ...headers } })).status;
  expect(await status("/api/now", {})).toBe(200);
  expect(await status("/api/now", { origin: address })).toBe(200);
  for (const headers of [
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ]) {
    expect([headers, await status("/api/now", headers)]).toEqual([headers, 403]);
    expect([headers, await status("/api/terminal/x", { ...headers, upgrade: "websocket" })]).toEqual([headers, 403]);
  }
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example", ""]) {
    const answer = await sendRaw(port, [
      `GET /api/now HTTP/1.1`,
      `Host: ${host}`,
      `Cookie: ${cookie}`,
      "Connection: close",
    ]);
    expect([host, answer.split("\r\n")[0]]).toEqual([host, expect.stringMatching(/ 40[03] /)]);
    expect(answer).not.toContain("cards");
  }
  // A port that ssh forwards from is another one.
  const forwarded = await sendRaw(port, [
    "GET /api/now HTTP/1.1",
    "Host: localhost:9999",
    `Cookie: ${cookie}`,
    "Connection: close",
  ]);
  expect(forwarded).toContain(" 200 ");
  expect(await status("/api/runs", {}, { method: "DELETE" })).toBe(405);
  expect(await status("/api/run/x/stop", {})).toBe(405);
});

test("paths that leave the page's files, and large or odd bodies, are refused", async () => {
  using world = new HookWorld();
  writeFileSync(join(world.home, "secret.txt"), "secret");
  await using dashboard = await start(world);
  const cookie = await dashboard.enter();
  const head = [`Host: 127.0.0.1:${dashboard.port}`, `Cookie: ${cookie}`, "Connection: close"];
  for (const path of [
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/%2e%2e/etc/passwd",
    "//etc/passwd",
    "/api/session/..%2f..%2fsecret",
    "/api/session/../../secret.txt",
    "/api/run/..%2f..%2fx/log",
    "/chunk-\u0000.js",
  ]) {
    const answer = await sendRaw(dashboard.port, [`GET ${path} HTTP/1.1`, ...head]);
    expect([path, answer.split("\r\n")[0]]).toEqual([path, expect.stringMatching(/ [45]0\d /)]);
    expect(answer).not.toMatch(/secret\b.*secret|root:/);
  }
  const post = (body: string, type = "application/json"): Promise<Response> =>
    fetch(`${dashboard.address}/api/runs`, { method: "POST", headers: { cookie, "content-type": type }, body });
  expect((await post(JSON.stringify({ task: "x".repeat(70_000) }))).status).toBe(413);
  expect((await post("{}", "text/plain")).status).toBe(415);
  expect((await post("[]")).status).toBe(400);
  expect((await post("{")).status).toBe(400);
  expect((await post(JSON.stringify({ task: "x", directory: "/", permissionMode: "bypassPermissions" }))).status).toBe(
    400,
  );
  expect((await post(JSON.stringify({ task: "x", directory: "relative", permissionMode: "plan" }))).status).toBe(400);
});

test("after ten wrong links even a right one is refused for a minute", async () => {
  using world = new HookWorld();
  await using dashboard = await start(world);
  for (let count = 0; count < 10; count++) {
    expect((await fetch(`${dashboard.address}/enter?token=wrong${count}`)).status).toBe(401);
  }
  const blocked = await fetch(dashboard.link);
  expect([blocked.status, blocked.headers.get("retry-after"), blocked.headers.get("set-cookie")]).toEqual([
    429,
    "60",
    null,
  ]);
});

test("a second command prints a new link to the dashboard that runs, and its record is private", async () => {
  using world = new HookWorld();
  await using dashboard = await start(world);
  const second = await world.aiRuntime(["dashboard", "--no-open", "--json"]);
  const { address, link } = JSON.parse(second.stdout);
  expect([second.exitCode, address]).toEqual([0, dashboard.address]);
  expect(link).not.toBe(dashboard.link);
  expect(await dashboard.enter(link)).toMatch(/^ai-runtime-dashboard=/);
  const record = join(world.home, ".local/state/ai-runtime/dashboard.json");
  expect(statSync(record).mode & 0o777).toBe(0o600);
  expect(readFileSync(record, "utf8")).not.toContain(new URL(link).searchParams.get("token") ?? "?");
  const forged = await fetch(`${dashboard.address}/link`, { method: "POST", headers: { authorization: "Bearer x" } });
  expect(forged.status).toBe(403);
});

test("Ctrl-C ends it, and a cookie outlives a restart on the same port", async () => {
  using world = new HookWorld();
  const first = await start(world);
  const cookie = await first.enter();
  expect(await first.stop()).toBe(0);
  await using second = await start(world, ["--port", first.port]);
  expect((await fetch(`${second.address}/api/now`, { headers: { cookie } })).status).toBe(200);
});

test("forget makes the cookies of open pages worthless, but not while a dashboard runs", async () => {
  using world = new HookWorld();
  const first = await start(world);
  const cookie = await first.enter();
  expect((await world.aiRuntime(["dashboard", "forget"])).exitCode).toBe(5);
  await first.stop();
  expect((await world.aiRuntime(["dashboard", "forget"])).exitCode).toBe(0);
  await using second = await start(world);
  expect((await fetch(`${second.address}/api/now`, { headers: { cookie } })).status).toBe(401);
});

test("asking for a read-only dashboard never gives a link to one that can act", async () => {
  using world = new HookWorld();
  await using _ = await start(world);
  const asked = await world.aiRuntime(["dashboard", "--read-only", "--no-open"]);
  expect([asked.exitCode, asked.stdout, asked.stderr]).toEqual([5, "", expect.stringContaining("is not read-only")]);
});

test("--detach serves in the background until stop, and stop without a dashboard fails", async () => {
  using world = new HookWorld();
  const started = await world.aiRuntime(["dashboard", "--detach", "--no-open", "--json", "--port", "0"]);
  const { address } = JSON.parse(started.stdout);
  expect((await fetch(address)).status).toBe(401);
  const stopped = await world.aiRuntime(["dashboard", "stop", "--json"]);
  expect([stopped.exitCode, JSON.parse(stopped.stdout)]).toEqual([0, { address, state: "stopped" }]);
  const again = await world.aiRuntime(["dashboard", "stop"]);
  expect([again.exitCode, again.stderr]).toEqual([4, expect.stringContaining("no dashboard is running")]);
});

test("a read-only dashboard shows everything and changes nothing", async () => {
  using world = new HookWorld();
  await using dashboard = await start(world, ["--port", "0", "--read-only"]);
  const cookie = await dashboard.enter();
  const headers = { cookie, "content-type": "application/json" };
  expect(await (await fetch(`${dashboard.address}/api/now`, { headers })).json()).toMatchObject({ isReadOnly: true });
  for (const path of ["runs", "run/x/stop", "run/x/resume", "session/x/plan", "session/x/act"]) {
    const answer = await fetch(`${dashboard.address}/api/${path}`, { method: "POST", headers, body: "{}" });
    expect([path, answer.status]).toEqual([path, 403]);
  }
});

test("events arrive at once and after a change, without a question of the page", async () => {
  using world = new HookWorld();
  const shared = join(world.home, ".claude/checkpoints");
  mkdirSync(shared);
  await using dashboard = await start(world);
  const cookie = await dashboard.enter();
  const aborter = new AbortController();
  const response = await fetch(`${dashboard.address}/api/events`, { headers: { cookie }, signal: aborter.signal });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const seen: string[] = [];
  const untilText = async (text: string): Promise<void> => {
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (;;) {
      if (seen.join("").includes(text)) break;
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended without ${text}`);
      seen.push(new TextDecoder().decode(value));
    }
    reader.releaseLock();
  };
  await untilText("event: now");
  await Bun.write(
    join(shared, "usage.json"),
    JSON.stringify({
      version: 1,
      time: Date.now(),
      sessionId: "s",
      contextPercent: 5,
      usage: { five_hour: { percent: 42, resetsAt: Date.now() + 3_600_000 } },
      saved: [],
    }),
  );
  await untilText('"percent":42');
  aborter.abort();
});
