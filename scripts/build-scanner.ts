// `bun scripts/build-scanner.ts`: compiles assembly/ to src/claude/scanner/scanner-module.ts, which is part of the executable.
// Run it after every change in assembly/; a test compares the two.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileScanner } from "./compile-scanner.ts";

const root = join(import.meta.dir, "..");
const lines = (
  compileScanner(root)
    .toBase64()
    .match(/.{1,100}/g) ?? []
).map((line) => `  "${line}"`);
const text = `// Made of assembly/ by scripts/build-scanner.ts: change it there.\nexport const scannerModule =\n${lines.join(" +\n")};\n`;
writeFileSync(join(root, "src/claude/scanner/scanner-module.ts"), text);
