// Entry point for a machine with only git, Node and npm: finds or fetches the pinned Bun, installs the locked
// dependencies, then runs the given script with Bun. Plain JavaScript, because TypeScript cannot run yet.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const version = manifest.packageManager.replace("bun@", "");
const bunName = process.platform === "win32" ? "bun.exe" : "bun";

function isPinned(candidate) {
  const answer = spawnSync(candidate, ["--version"], { encoding: "utf8" });
  return answer.status === 0 && answer.stdout.trim() === version;
}

function findFetched(directory) {
  const scope = join(directory, "node_modules", "@oven");
  if (!existsSync(scope)) return undefined;
  return readdirSync(scope)
    .map((name) => join(scope, name, "bin", bunName))
    .find((candidate) => existsSync(candidate) && isPinned(candidate));
}

function fetchBun() {
  const home = join(root, ".tools", `bun-${version}`);
  const present = findFetched(home);
  if (present) return present;
  process.stderr.write(`Fetching Bun ${version} from npm into .tools/ …\n`);
  // Staged and renamed, so that an interrupted fetch never looks complete.
  const staging = `${home}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  // Under pnpm or yarn, npm_execpath names those, which take other arguments.
  const started = process.env.npm_execpath ?? "";
  const npm = basename(started) === "npm-cli.js" ? [process.execPath, started] : ["npm"];
  // --ignore-scripts: the platform package contains the binary, so its install script is not needed.
  const args = ["install", "--prefix", staging, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const install = spawnSync(npm[0], [...npm.slice(1), ...args, `bun@${version}`], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: npm.length === 1 && process.platform === "win32",
  });
  if (install.status !== 0) {
    rmSync(staging, { recursive: true, force: true });
    fail(`npm could not fetch bun@${version}; check the network and try again.`);
  }
  rmSync(home, { recursive: true, force: true });
  renameSync(staging, home);
  return (
    findFetched(home) ?? fail(`the npm package bun@${version} has no binary for ${process.platform} ${process.arch}.`)
  );
}

function fail(message) {
  process.stderr.write(`with-bun: ${message}\n`);
  process.exit(1);
}

const bun = isPinned("bun") ? "bun" : fetchBun();
const pathKey = Object.keys(process.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
const path = [join(root, "node_modules", ".bin"), process.env[pathKey]];
if (bun !== "bun") path.unshift(dirname(bun));
const options = { cwd: root, stdio: "inherit", env: { ...process.env, [pathKey]: path.join(delimiter) } };

// --production skips the test tools, which the demo and the installer do not need.
const words = process.argv.slice(2);
const production = words[0] === "--production" ? words.splice(0, 1) : [];
const install = spawnSync(bun, ["install", "--frozen-lockfile", "--silent", ...production], options);
if (install.status !== 0) fail("cannot install the dependencies; see above.");

const child = spawn(bun, words, options);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
