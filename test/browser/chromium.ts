// One Chromium for a test file. `npm test` must not need a manual step, so it is found, or installed where that is possible.
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const find = (): string | undefined =>
  process.env["CHROMIUM"] ?? names.map((name) => Bun.which(name)).find((path) => path !== null) ?? undefined;

/** The path of Chromium; undefined, with a message, where there is none. With `CI` set, that is an error. */
export function findChromium(): string | undefined {
  const found = find();
  if (found !== undefined) {
    console.error(`browser tests use ${found}`);
    return found;
  }
  const installed = installWithApt();
  if (installed !== undefined) return installed;
  const message = "Chromium is not installed, but the browser tests need it";
  if (process.env["CI"]) throw new Error(message);
  console.error(`skipped: ${message}`);
  return undefined;
}

/** Debian as root, as on CI: the package is a few seconds away. On a developer's machine nothing is installed. */
function installWithApt(): string | undefined {
  if (process.getuid?.() !== 0 || Bun.which("apt-get") === null) return undefined;
  console.error("installing Chromium for the browser tests: apt-get install chromium");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // Another test file may be installing it at this moment.
  const waits = ["-o", "DPkg::Lock::Timeout=240"];
  const install = (): boolean =>
    Bun.spawnSync(["apt-get", ...waits, "install", "--yes", "--no-install-recommends", "chromium"], { env })
      .exitCode === 0;
  if (!install()) {
    Bun.spawnSync(["apt-get", ...waits, "update"], { env });
    install();
  }
  const found = find();
  console.error(found === undefined ? "Chromium could not be installed" : `installed ${found}`);
  return found;
}

/** Nothing leaves this machine: Chromium's own services are off. */
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** A page and what it must never see. */
export interface WatchedPage {
  readonly page: Page;
  /** Dialogs that a script opened, errors of the page, and what its content policy refused. */
  readonly trouble: readonly string[];
}

/** One Chromium process, with a fresh profile. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, headless: true, args: quiet });

/** The bound for a hang, as that of `until`: a busy machine may take long. */
const timeoutMs = 240_000;

/** Opens a dashboard by its link, in a profile of its own. */
export async function openDashboard(context: BrowserContext, address: string): Promise<WatchedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(timeoutMs);
  const trouble: string[] = [];
  page.on("dialog", (dialog) => {
    trouble.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => trouble.push(`error ${error.message}`));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) trouble.push(message.text());
  });
  await page.goto(address);
  await page.getByRole("navigation").waitFor();
  return { page, trouble };
}
