/** Environment variables. */
export type Variables = Record<string, string | undefined>;
