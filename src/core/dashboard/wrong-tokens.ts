/** Times of recent wrong tokens, oldest first, in milliseconds since 1970. */
export type WrongTokens = readonly number[];

const maxWrong = 10;
const windowMs = 60_000;

/** Too many wrong tokens came in the last minute: even a right one is refused for now. */
export const isBlocked = (wrong: WrongTokens, now: number): boolean => recent(wrong, now).length >= maxWrong;

export const addWrong = (wrong: WrongTokens, now: number): WrongTokens => [...recent(wrong, now), now].slice(-maxWrong);

const recent = (wrong: WrongTokens, now: number): number[] => wrong.filter((time) => now - time < windowMs);
