/** Words as one line for a POSIX shell, to be copied. */
export const quoteWords = (words: readonly string[]): string => words.map(quote).join(" ");

const quote = (word: string): string => (/^[\w/.,:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
