// A loop-mounted disk whose power can be cut, which loses everything not synced. Needs Linux and root.
import { dlopen, FFIType, ptr } from "bun:ffi";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** At the power cut the journal is dropped, or written without the file data. */
export type Cut = "journal dropped" | "journal flushed";

const flags: Record<Cut, number> = { "journal dropped": 2, "journal flushed": 1 };
/** EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN, _IOR('X', 125, __u32). */
const shutdown = 0x8004587d;

interface FileSystem {
  /** The minimum for XFS; the image file is sparse. */
  readonly megabytes: number;
  readonly make: readonly [string, ...string[]];
  readonly options: string;
}

const fileSystems = {
  ext4: {
    megabytes: 64,
    make: ["mkfs.ext4", "-qF", "-E", "lazy_itable_init=0,lazy_journal_init=0"],
    // No periodic writeback during a test.
    options: "loop,commit=300",
  },
  xfs: { megabytes: 512, make: ["mkfs.xfs", "-qf"], options: "loop,nouuid" },
} as const satisfies Record<string, FileSystem>;

export type FileSystemName = keyof typeof fileSystems;

export class LoopDisk implements Disposable {
  readonly #mountPoint: string;
  readonly #fileSystem: FileSystem;
  readonly #images = mkdtempSync(join(tmpdir(), "disk-"));
  readonly #template = join(this.#images, "template");
  #image = "";
  #rounds = 0;
  #mounted = false;

  constructor(mountPoint: string, fileSystem: FileSystemName) {
    this.#mountPoint = mountPoint;
    this.#fileSystem = fileSystems[fileSystem];
    writeFileSync(this.#template, "");
    truncateSync(this.#template, this.#fileSystem.megabytes * 1024 * 1024);
    try {
      run(...this.#fileSystem.make, this.#template);
    } catch (error) {
      // A constructor that throws is never disposed, so it cleans up here.
      rmSync(this.#images, { recursive: true });
      throw error;
    }
  }

  /** Replaces the disk with an empty one. */
  insertNew(): void {
    this.#remove();
    this.#insertCopyOf(this.#template);
  }

  sync(): void {
    run("sync", "-f", this.#mountPoint);
  }

  cutPower(how: Cut): void {
    const descriptor = openSync(this.#mountPoint, "r");
    try {
      const answer = ioctl(descriptor, shutdown, new Uint32Array([flags[how]]));
      if (answer !== 0) throw new Error(`cannot cut the power (${answer})`);
    } finally {
      closeSync(descriptor);
    }
    const dead = this.#image;
    this.#unmount();
    // A new file name each time, because a new mount namespace may still keep the old image busy.
    this.#insertCopyOf(dead);
    rmSync(dead);
  }

  [Symbol.dispose](): void {
    this.#remove();
    rmSync(this.#images, { recursive: true, force: true });
  }

  #insertCopyOf(image: string): void {
    this.#image = join(this.#images, `disk-${this.#rounds++}`);
    run("cp", "--sparse=always", image, this.#image);
    run("mount", "-o", this.#fileSystem.options, this.#image, this.#mountPoint);
    this.#mounted = true;
  }

  #unmount(): void {
    if (this.#mounted) run("umount", this.#mountPoint);
    this.#mounted = false;
  }

  #remove(): void {
    this.#unmount();
    if (this.#image !== "") rmSync(this.#image);
    this.#image = "";
  }
}

function ioctl(descriptor: number, request: number, argument: Uint32Array): number {
  const library = dlopen("libc.so.6", {
    ioctl: { args: [FFIType.i32, FFIType.u64, FFIType.ptr], returns: FFIType.i32 },
  });
  try {
    return library.symbols.ioctl(descriptor, request, ptr(argument));
  } finally {
    library.close();
  }
}

function run(...command: [string, ...string[]]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString().trim()}`);
}

/** Why this machine cannot run these tests; undefined when it can. */
export function loopDiskProblem(fileSystem: FileSystemName): string | undefined {
  if (process.platform !== "linux") return "loop disks need Linux";
  if (process.getuid?.() !== 0) return "mounting a disk needs root";
  const probe = mkdtempSync(join(tmpdir(), "disk-probe-"));
  try {
    mkdirSync(join(probe, "at"));
    using disk = new LoopDisk(join(probe, "at"), fileSystem);
    disk.insertNew();
    disk.cutPower("journal dropped");
    return undefined;
  } catch (error) {
    return `cannot mount a loop disk: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
