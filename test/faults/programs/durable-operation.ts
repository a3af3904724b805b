// durable-operation <operation> <directory>: performs the operation and prints "done", or "failed" and the error code.
import { writeSync } from "node:fs";
import { DurableError } from "../../../src/io/durable/durable.ts";
import { operations } from "./durable-operations.ts";

const [name = "", directory = ""] = process.argv.slice(2);

try {
  operations[name]?.perform(directory);
  writeSync(1, "done");
} catch (error) {
  writeSync(1, error instanceof DurableError ? `failed ${error.code}` : `broke: ${error}`);
}
