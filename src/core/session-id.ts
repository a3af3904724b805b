const shape = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** Checked before an id touches a path: Claude's own are UUIDs, and nothing that passes can leave a directory. */
export function isSessionId(text: string): boolean {
  return shape.test(text);
}
