// The dashboard with the real client: a permission, a limit, a restore, a run.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { type FakeAnthropic, fakeAnthropic } from "../support/anthropic/fake-anthropic.ts";
import { story } from "../support/anthropic/scenario.ts";
import { StartedDashboard } from "../support/dashboard/started-dashboard.ts";
import { runAiRuntime } from "../support/runs/runs.ts";
import { newestClaude } from "../support/sandbox/claude-versions.ts";
import { installedSandbox } from "../support/sandbox/installed-sandbox.ts";
import type { Sandbox } from "../support/sandbox/sandbox.ts";
import { findChromium, launchChromium, openDashboard } from "./chromium.ts";

const chromium = findChromium();
const missing = chromium === undefined;
let browser: Browser;

beforeAll(async () => {
  if (chromium !== undefined) browser = await launchChromium(chromium);
});
afterAll(async () => {
  await browser?.close();
});

const start = (sandbox: Sandbox, api: FakeAnthropic): Promise<StartedDashboard> =>
  StartedDashboard.start({ env: { ...sandbox.env, ...sandbox.claudeEnv(api) }, cwd: sandbox.projectDir });

/** The text of the terminal in the page. */
const screenOf = (page: Page): Promise<string> =>
  page.locator(".xterm-rows").evaluate((rows) => [...rows.children].map((row) => row.textContent ?? "").join("\n"));

test.skipIf(missing)(
  "a hosted claude that asks for a permission comes first, and is answered in the page's terminal",
  async () => {
    await using api = await fakeAnthropic(
      story().callsTool("Bash", { command: "touch asked.txt", description: "Touch" }).says("Thanks for that."),
    );
    await using sandbox = await installedSandbox(newestClaude);
    await sandbox.trustProject();
    const words = ["run", "--interactive", "--detach", "Touch the file", "--permission-mode", "default"];
    expect((await runAiRuntime(sandbox, api, words)).exitCode).toBe(0);
    await using dashboard = await start(sandbox, api);
    await using context = await browser.newContext({ viewport: { width: 390, height: 800 } });
    const { page, trouble } = await openDashboard(context, dashboard.link);
    const card = page.getByRole("region", { name: "Needs you" }).locator(".card");
    await card.getByText("asking: permission").waitFor();
    await card.getByRole("link", { name: /^terminal of/ }).click();
    await page.waitForFunction(() => /Do you want/.test(document.querySelector(".xterm-rows")?.textContent ?? ""));
    // Keys before a click into the terminal go nowhere.
    await page.keyboard.press("Enter");
    await page.getByText("click into it to type").waitFor();
    expect(existsSync(join(sandbox.projectDir, "asked.txt"))).toBe(false);
    await page.locator(".screen").click();
    await page.getByText("your keys go to Claude").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /Thanks for that/.test(document.querySelector(".xterm-rows")?.textContent ?? ""));
    expect(await screenOf(page)).toContain("Thanks for that.");
    expect(existsSync(join(sandbox.projectDir, "asked.txt"))).toBe(true);
    expect(trouble).toEqual([]);
  },
);

test.skipIf(missing)(
  "a run is started in the page, meets a limit that counts down live, and is stopped in the page",
  async () => {
    await using api = await fakeAnthropic(story().fails.limit({ resetsInSeconds: 3_000, times: Infinity }));
    await using sandbox = await installedSandbox(newestClaude);
    await using dashboard = await start(sandbox, api);
    await using context = await browser.newContext();
    const { page, trouble } = await openDashboard(context, `${dashboard.link}`);
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    await page.getByLabel("Task").fill("Count the files");
    await page.getByLabel("Directory").fill(sandbox.projectDir);
    await page.getByLabel("Permission mode").selectOption("plan");
    await page.getByRole("button", { name: "start run" }).click();
    await page.getByText("ai-runtime run --permission-mode plan --detach -- 'Count the files'").waitFor();
    await page.getByRole("link", { name: "Now" }).click();
    const countdown = page.getByTestId("countdown").locator("b");
    await countdown.waitFor();
    const first = await countdown.textContent();
    await page.waitForFunction(
      (before) => document.querySelector('[data-testid="countdown"] b')?.textContent !== before,
      first,
    );
    expect(await page.locator(".card .state").first().textContent()).toBe("limit");
    await page.getByRole("button", { name: /^stop Count/ }).click();
    await page.getByRole("button", { name: "stop for good" }).click();
    await page.getByRole("region", { name: "Ended" }).getByText("stopped").waitFor();
    const status = await runAiRuntime(sandbox, api, ["status", "--json"]);
    expect(JSON.parse(status.stdout).runs).toMatchObject([
      { task: "Count the files", state: "stopped", permissionMode: "plan" },
    ]);
    expect(trouble).toEqual([]);
  },
);

test.skipIf(missing)(
  "a click restores a conversation after its plan is shown, and undo brings back every byte",
  async () => {
    await using api = await fakeAnthropic(
      story()
        .callsTool("Bash", { command: "echo one > a.txt", description: "Write a file" })
        .says("First turn done.")
        .callsTool("Bash", { command: "echo two > a.txt", description: "Write it again" })
        .says("Second turn done."),
    );
    await using sandbox = await installedSandbox(newestClaude);
    expect((await runAiRuntime(sandbox, api, ["install"])).exitCode).toBe(0);
    const allow = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"];
    expect((await sandbox.claude(api, ["-p", ...allow, "--", "Write the file"])).exitCode).toBe(0);
    const [path = ""] = await sandbox.transcripts();
    const id = path.slice(path.lastIndexOf("/") + 1, -".jsonl".length);
    expect((await sandbox.claude(api, ["-p", "--resume", id, ...allow, "--", "Again"])).exitCode).toBe(0);
    const before = readFileSync(path);
    await using dashboard = await start(sandbox, api);
    await using context = await browser.newContext();
    const { page, trouble } = await openDashboard(context, dashboard.link);
    await page.goto(`${dashboard.address}/#/session/${id}`);
    const conversation = page.locator(".conversation");
    await conversation.getByText("Second turn done.").waitFor();
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await page.waitForFunction(
      () => !document.querySelector(".conversation")?.textContent?.includes("Second turn done."),
    );
    const chosen = await page.getByRole("slider").getAttribute("aria-valuetext");
    await page.getByRole("button", { name: "restore to here…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`session-snapshot restore ${id} --to`).waitFor();
    expect(readFileSync(path).equals(before)).toBe(true);
    await dialog.getByRole("button", { name: "do it" }).click();
    await dialog.getByText(/^Restored to .* verified/).waitFor();
    expect([chosen, readFileSync(path).length < before.length]).toEqual([chosen, true]);
    await dialog.getByRole("button", { name: "close" }).click();
    await page.getByRole("button", { name: "undo restore…" }).click();
    await dialog.getByRole("button", { name: "do it" }).click();
    await dialog.getByText(/^Undone:/).waitFor();
    expect(readFileSync(path).equals(before)).toBe(true);
    await dialog.getByRole("button", { name: "close" }).click();
    await conversation.getByText("Second turn done.").waitFor();
    expect(trouble).toEqual([]);
  },
);
