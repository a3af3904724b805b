// A disk of its own in a file, whose power can be cut: what was not synced is then gone. Linux, as root.
import { dlopen, FFIType, ptr } from "bun:ffi";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How the journal ends: dropped as it is, or written out without the files' data. */
export type Cut = "journal dropped" | "journal flushed";

const flags: Record<Cut, number> = { "journal dropped": 2, "journal flushed": 1 };
/** EXT4_IOC_SHUTDOWN and XFS_IOC_GOINGDOWN, _IOR('X', 125, __u32). */
const shutdown = 0x8004587d;

interface FileSystem {
  /** XFS takes no smaller ones; what is empty of it takes no room. */
  readonly megabytes: number;
  readonly make: readonly [string, ...string[]];
  readonly options: string;
}

const fileSystems = {
  ext4: {
    megabytes: 64,
    make: ["mkfs.ext4", "-qF", "-E", "lazy_itable_init=0,lazy_journal_init=0"],
    // Nothing is written out by itself while a test is going on.
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
      // Nobody disposes of what was never made.
      rmSync(this.#images, { recursive: true });
      throw error;
    }
  }

  /** An empty disk in the place of the one before. */
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
      if (answer !== 0) throw new Error(`the power could not be cut (${answer})`);
    } finally {
      closeSync(descriptor);
    }
    const dead = this.#image;
    this.#unmount();
    // A new name each time: the kernel may still hold the old one, when another mount namespace was made meanwhile.
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

/** Why there can be no such test here; undefined when there can. */
export function loopDiskProblem(fileSystem: FileSystemName): string | undefined {
  if (process.platform !== "linux") return "loop disks exist on Linux only";
  if (process.getuid?.() !== 0) return "only root can mount a disk";
  const probe = mkdtempSync(join(tmpdir(), "disk-probe-"));
  try {
    mkdirSync(join(probe, "at"));
    using disk = new LoopDisk(join(probe, "at"), fileSystem);
    disk.insertNew();
    disk.cutPower("journal dropped");
    return undefined;
  } catch (error) {
    return `no loop disk can be mounted here: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
