import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Creates a zip file. All times are the earliest that the format supports, so that the result is reproducible. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content, { level: 9 });
    const about = describe(content, packed, Buffer.byteLength(name));
    const local = Buffer.concat([word(0x04034b50), about, Buffer.from(name), packed]);
    const external = Buffer.alloc(14);
    external.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([word(0x02014b50), half(20), about, external, Buffer.from(name)]));
    files.push(local);
    offset += local.length;
  }
  const table = Buffer.concat(directory);
  const counts = [half(0), half(0), half(entries.length), half(entries.length)];
  const end = [word(0x06054b50), ...counts, word(table.length), word(offset), half(0)];
  return Buffer.concat([...files, table, ...end]);
}

/** The common part of the local header and the central directory: version 2.0, UTF-8 names, deflate, 1980-01-01. */
function describe(content: Uint8Array, packed: Uint8Array, nameLength: number): Buffer {
  const sizes = [word(crc32(content)), word(packed.length), word(content.length)];
  return Buffer.concat([half(20), half(0x0800), half(8), half(0), half(0x21), ...sizes, half(nameLength), half(0)]);
}

function half(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
