import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type Case, measure } from "./measure.ts";
import { type Bench, compare, type Row } from "./rows.ts";
import { BenchSession } from "./session.ts";

const megabytes = 20;
/** Fewer rounds, because each restore leaves a backup behind. */
const mostRounds = 8;

/** Compares a restore, which makes a backup and verifies source and result, with plain copies. */
export async function restoreRows({ executable, home, env, rounds }: Bench): Promise<Row[]> {
  const session = new BenchSession(home, megabytes, executable);
  session.start(home, env);
  const changed = (): void => appendFileSync(session.transcript, '{"type":"changed"}\n');
  const ours: Case = {
    name: `restore, ${megabytes} MB`,
    command: [executable, "session-snapshot", "restore", session.id, "--to", "1", "--force"],
    prepare: changed,
  };
  const [first, second] = [join(home, "first.copy"), join(home, "second.copy")];
  const copy: Case = { name: `cp, ${megabytes} MB`, command: ["cp", session.transcript, first] };
  const script = 'cp "$1" "$2" && sync "$2" && cp "$1" "$3" && sync "$3"';
  const careful: Case = {
    name: `cp twice, ${megabytes} MB, synced`,
    command: ["sh", "-c", script, "sh", session.transcript, first, second],
  };
  const timings = await measure([copy, careful, ours], Math.min(rounds, mostRounds), env);
  return [
    compare(timings, ours.name, copy.name, undefined),
    // Backup and new file, both synced. Our restore also verifies both and takes a snapshot.
    compare(timings, ours.name, careful.name, undefined),
  ];
}
