const validId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** Check an id before it becomes part of a path: a valid id cannot leave its directory. Claude's own ids are UUIDs. */
export function isSessionId(text: string): boolean {
  return validId.test(text);
}
