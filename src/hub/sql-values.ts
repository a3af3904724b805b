/** The text form of an array of bytea. */
export const byteaArray = (values: readonly Uint8Array[]): string =>
  `{${values.map((value) => `"\\\\x${Buffer.from(value).toString("hex")}"`).join(",")}}`;
