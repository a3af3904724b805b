// `bun run test:hub`: the hub in full. Chaos with 40 sessions, a server crash at every statement. HUB_SEED repeats a run.
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const given = process.argv.slice(2);
const command = ["bun", "test", "--timeout=3600000", ...(given.length > 0 ? given : ["test/hub"])];
const child = Bun.spawn(command, {
  cwd: root,
  env: { ...process.env, HUB: "full" },
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await child.exited);
