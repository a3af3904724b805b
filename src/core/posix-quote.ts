/** Text within single quotes, where a POSIX shell treats no character as special. */
export const quotePosix = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Quotes a word only where a shell would change it. A first word such as `A=b` would be read as an assignment. */
export const quotePosixWord = (word: string): string =>
  /^[\w/.,:@%+=-]+$/.test(word) && !/^\w+\+?=/.test(word) ? word : quotePosix(word);

/** One command line that a user can copy into a shell. */
export const quotePosixWords = (words: readonly string[]): string => words.map(quotePosixWord).join(" ");
