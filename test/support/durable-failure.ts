import { DurableError } from "../../src/io/durable/durable.ts";

/** The error of an action that must fail. */
export function failure(action: () => unknown): DurableError {
  try {
    action();
  } catch (error) {
    if (error instanceof DurableError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
