import { type OpenFile, readRange, withFile } from "../../io/files/read-file.ts";
import { frameSize } from "./packed-frames.ts";
import type { Packed } from "../snapshots/snapshot-state.ts";

/** Finds the frames of a packed file in the file itself (RFC 8878, 3.1.1), for when its state is lost. */
export function findFrames(path: string): Packed {
  const frames: number[] = [];
  withFile(path, (file) => {
    for (let at = 0; at < file.size;) {
      const end = frameEnd(file, at);
      if (end === undefined || end > file.size) break;
      frames.push(end - at);
      at = end;
    }
  });
  return { frame: frameSize, frames };
}

const magic = [0x28, 0xb5, 0x2f, 0xfd];
const runLengthBlock = 1;

function frameEnd({ fd, size }: OpenFile, start: number): number | undefined {
  const [a, b, c, d, descriptor = 0] = readRange(fd, start, start + 5);
  if (a !== magic[0] || b !== magic[1] || c !== magic[2] || d !== magic[3]) return undefined;
  const singleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeField = sizeFlag === 0 ? Number(singleSegment) : 1 << sizeFlag;
  const dictionaryField = [0, 1, 2, 4][descriptor & 3] ?? 0;
  let at = start + 5 + (singleSegment ? 0 : 1) + dictionaryField + sizeField;
  while (at < size) {
    const [low = 0, middle = 0, high = 0] = readRange(fd, at, at + 3);
    const header = low | (middle << 8) | (high << 16);
    const isRun = ((header >> 1) & 3) === runLengthBlock;
    at += 3 + (isRun ? 1 : header >> 3);
    if ((header & 1) === 1) return at + ((descriptor & 4) === 0 ? 0 : 4);
  }
  return undefined;
}
