// The page of the dashboard in a real browser, with records that are made by hand: hostile texts, accessibility, two tabs, restarts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import axe from "axe-core";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { newRun, type RunPlan, type RunStatus } from "../../src/core/run/run-record.ts";
import { findChromium, launchChromium, openDashboard } from "./chromium.ts";
import { hostileTexts } from "../support/dashboard/hostile-texts.ts";
import { StartedDashboard } from "../support/dashboard/started-dashboard.ts";
import { HookWorld } from "../support/worlds/hook-world.ts";

const chromium = findChromium();
const missing = chromium === undefined;
let browser: Browser;

beforeAll(async () => {
  if (chromium !== undefined) browser = await launchChromium(chromium);
});
afterAll(async () => {
  await browser?.close();
});

const start = (world: HookWorld, words?: readonly string[]): Promise<StartedDashboard> =>
  StartedDashboard.start({ env: world.env, cwd: world.home }, words);

const sessionOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;

/** A conversation in which everything is hostile: prompts, answers, names of tools and files, results, errors. */
function hostileConversation(sessionId: string, texts: readonly string[]): string {
  let parent: string | null = null;
  let count = 0;
  const line = (type: "user" | "assistant", content: unknown, more: object = {}): string => {
    const uuid = `${sessionId.slice(0, -4)}${String(1_000 + count)}`;
    const record = {
      type,
      uuid,
      parentUuid: parent,
      sessionId,
      timestamp: new Date(1.7e12 + count++ * 60_000).toISOString(),
      cwd: "/<b>x</b>",
    };
    parent = uuid;
    const usage = { input_tokens: 1_000 * count, output_tokens: 10 };
    const message = {
      role: type,
      content,
      ...(type === "assistant" ? { id: `m${count}`, model: "claude", usage } : {}),
    };
    return `${JSON.stringify({ ...record, message, ...more })}\n`;
  };
  return texts
    .flatMap((text, at) => [
      line("user", [{ type: "text", text }]),
      line("assistant", [
        {
          type: "tool_use",
          id: `t${at}`,
          name: text.slice(0, 40),
          input: { file_path: text, old_string: text, new_string: text },
        },
      ]),
      line("user", [
        { type: "tool_result", tool_use_id: `t${at}`, content: `${text}\n${text}`, is_error: at % 2 === 0 },
      ]),
      line("assistant", [{ type: "text", text }]),
    ])
    .join("");
}

function addRun(world: HookWorld, id: string, task: string, status: Partial<RunStatus>): void {
  const directory = join(world.home, ".local/state/ai-runtime/runs/ended");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const plan: RunPlan = {
    id,
    kind: "headless",
    task,
    cwd: join(world.home, task.slice(0, 30).replaceAll("/", "-")),
    directory: join(world.home, ".ai-runtime/sessions", id),
    sessionId: sessionOf(1),
    claude: "/usr/bin/claude",
    flags: [],
    permissionMode: null,
    claudeConfig: join(world.home, ".claude"),
    created: Date.now(),
    maxWait: null,
    maxBudgetUsd: null,
  };
  const run = newRun(plan);
  const record = { ...run, status: { ...run.status, phase: "done", exit: "done", ...status } };
  writeFileSync(join(directory, `${id}.json`), JSON.stringify(record), { mode: 0o600 });
}

/** Elements and attributes that only code or a stranger's HTML could have made. */
const foreign =
  "main :is(script, img, iframe, object, embed, form:not(.new-run), video, math, style, link, meta, base, marquee, template, [onerror], [onload], [onclick], [onfocus], [ontoggle], [srcdoc])";

async function expectHarmless(page: Page, view: string): Promise<void> {
  const found = await page.evaluate((selector) => {
    const links = [...document.querySelectorAll("main a")].map((each) => each.getAttribute("href") ?? "");
    return {
      elements: [...document.querySelectorAll(selector)].map(({ outerHTML }) => outerHTML.slice(0, 100)),
      links: links.filter((href) => !/^(#\/|https?:\/\/|mailto:)/.test(href)),
      hit: (window as { hit?: unknown }).hit ?? null,
    };
  }, foreign);
  expect([view, found]).toEqual([view, { elements: [], links: [], hit: null }]);
}

test.skipIf(missing)("more than forty hostile texts stay text in every view, and no script runs", async () => {
  using world = new HookWorld();
  expect(hostileTexts.length).toBeGreaterThanOrEqual(40);
  writeFileSync(world.transcript(sessionOf(1)), hostileConversation(sessionOf(1), hostileTexts));
  for (const [at, text] of hostileTexts.entries()) {
    writeFileSync(world.transcript(sessionOf(100 + at)), hostileConversation(sessionOf(100 + at), [text]));
    if (at < 20)
      addRun(world, `20261118-0800${String(at).padStart(2, "0")}-abcd`, text, {
        lastStep: text,
        phase: "failed",
        cause: text,
      });
  }
  expect((await world.run(["backfill"])).exitCode).toBe(0);
  await using dashboard = await start(world);
  await using context = await browser.newContext();
  const { page, trouble } = await openDashboard(context, dashboard.link);
  await page.locator(".card").nth(19).waitFor();
  const titles = await page.locator(".card h3").allTextContents();
  expect(titles.toSorted()).toEqual(hostileTexts.slice(0, 20).toSorted());
  await expectHarmless(page, "now");
  const open = async (hash: string, selector: string): Promise<void> => {
    await page.goto(`${dashboard.address}/${hash}`);
    await page.locator(selector).first().waitFor();
    await expectHarmless(page, hash);
  };
  await open("#/runs", ".card");
  await open("#/sessions", ".rows li");
  await open(`#/session/${sessionOf(1)}`, ".conversation .call");
  await page.getByRole("button", { name: /^show earlier/ }).click();
  await page.waitForFunction(() => document.querySelector(".conversation")?.textContent?.includes("<svg onload="));
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
  await expectHarmless(page, "conversation, unfolded");
  await open("#/search?q=hit", ".hits li");
  expect(trouble).toEqual([]);
});

const views: readonly [hash: string, ready: string][] = [
  ["#/", ".card"],
  ["#/sessions", ".rows li"],
  [`#/session/${sessionOf(1)}`, ".conversation .call"],
  ["#/search?q=step", ".hits li"],
  ["#/runs", ".new-run"],
  ["#/doctor", ".finding"],
];

test.skipIf(missing)("no view breaks a rule of axe-core, light or dark, wide or narrow", async () => {
  using world = new HookWorld();
  const texts = [
    "Move the prices\n\n```diff\n- a\n+ b\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "a step [link](https://a.example)",
  ];
  writeFileSync(world.transcript(sessionOf(1)), hostileConversation(sessionOf(1), texts));
  await world.hook(sessionOf(1), "Stop", { cwd: world.home });
  addRun(world, "20261118-080001-done", "Write the release notes", { costUsd: 1.25, lastStep: "Bash ls" });
  addRun(world, "20261118-080002-fail", "Fix the tests", { phase: "failed", cause: "crash" });
  await using dashboard = await start(world);
  await using context = await browser.newContext();
  const { page, trouble } = await openDashboard(context, dashboard.link);
  for (const [hash, ready] of views) {
    await page.goto(`${dashboard.address}/${hash}`);
    await page.locator(ready).first().waitFor();
    for (const [colorScheme, width] of [
      ["light", 1024],
      ["dark", 390],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      expect([hash, width, await findBarriers(page)]).toEqual([hash, width, []]);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect([hash, width, overflow]).toEqual([hash, width, 0]);
    }
  }
  expect(trouble).toEqual([]);
});

async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const own = (globalThis as unknown as { axe: typeof import("axe-core") }).axe;
    const { violations } = await own.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

test.skipIf(missing)(
  "two tabs show a change at once, a restarted server is found again, and a hidden tab has no connection",
  async () => {
    using world = new HookWorld();
    mkdirSync(join(world.home, ".local/state/ai-runtime/runs/ended"), { recursive: true, mode: 0o700 });
    const first = await start(world);
    await using context = await browser.newContext();
    await context.addInitScript(() => {
      const counter = window as unknown as { open: number };
      counter.open = 0;
      window.EventSource = class extends EventSource {
        constructor(address: string | URL) {
          super(address);
          counter.open++;
        }
        override close(): void {
          if (this.readyState !== EventSource.CLOSED) counter.open--;
          super.close();
        }
      };
    });
    const one = await openDashboard(context, first.link);
    const two = await openDashboard(context, first.address);
    await one.page.getByText("Nothing runs yet").waitFor();
    await two.page.getByText("Nothing runs yet").waitFor();
    addRun(world, "20261118-080001-aaaa", "A run of both", {});
    for (const { page } of [one, two]) await page.getByRole("heading", { name: "A run of both" }).waitFor();
    const { port } = first;
    await first.stop();
    for (const { page } of [one, two]) await page.getByText("The server does not answer").waitFor();
    addRun(world, "20261118-080002-bbbb", "A run in between", {});
    await using second = await start(world, ["--port", port]);
    expect(second.port).toBe(port);
    for (const { page } of [one, two]) {
      await page.getByRole("heading", { name: "A run in between" }).waitFor();
      await page.getByText("The server does not answer").waitFor({ state: "detached" });
    }
    const setHidden = (hidden: boolean): Promise<void> =>
      one.page.evaluate((isHidden) => {
        Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    const connections = (): Promise<number> => one.page.evaluate(() => (window as unknown as { open: number }).open);
    expect(await connections()).toBe(1);
    await setHidden(true);
    expect(await connections()).toBe(0);
    addRun(world, "20261118-080003-cccc", "A run unseen", {});
    await two.page.getByRole("heading", { name: "A run unseen" }).waitFor();
    expect(await one.page.getByRole("heading", { name: "A run unseen" }).count()).toBe(0);
    await setHidden(false);
    await one.page.getByRole("heading", { name: "A run unseen" }).waitFor();
    expect([...one.trouble, ...two.trouble]).toEqual([]);
  },
);

test.skipIf(missing)("search finds words while they are typed, and the keyboard leads to the turn", async () => {
  using world = new HookWorld();
  const texts = ["The quick heron", "Something else", "A slow tortoise"];
  writeFileSync(world.transcript(sessionOf(1)), hostileConversation(sessionOf(1), texts));
  await world.hook(sessionOf(1), "Stop", { cwd: world.home });
  await using dashboard = await start(world);
  await using context = await browser.newContext();
  const { page, trouble } = await openDashboard(context, dashboard.link);
  await page.getByRole("link", { name: "Search" }).click();
  // The field has the focus already.
  await page.locator("input.search:focus").waitFor();
  await page.keyboard.type("tort", { delay: 5 });
  await page.keyboard.type("oise", { delay: 5 });
  await page.locator(".hits mark", { hasText: "tortoise" }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("show the whole conversation").waitFor();
  const shown = page.locator(".conversation");
  await shown.getByText("A slow tortoise").first().waitFor();
  expect(await shown.textContent()).not.toContain("quick heron");
  appendFileSync(
    world.transcript(sessionOf(1)),
    hostileConversation(sessionOf(1), ["A line that comes later"]).replaceAll(
      sessionOf(1).slice(0, -4),
      sessionOf(2).slice(0, -4),
    ),
  );
  await page.getByText("show the whole conversation").click();
  await shown.getByText("A line that comes later").first().waitFor();
  expect(trouble).toEqual([]);
});
