import { isArithmetic } from "./shell-arithmetic.ts";

/** One word of a shell command, without its quotes. */
export interface ShellWord {
  text: string;
  /** The shell expands a part of it (`$x`, `$(…)`, a glob), so the text is not what the program receives. */
  isDynamic: boolean;
}

export interface ShellRedirect {
  operator: string;
  target: ShellWord;
}

/** A program with its arguments, wherever it stands: in a pipeline, a list, a loop or a substitution. */
export interface ShellCommand {
  words: ShellWord[];
  redirects: ShellRedirect[];
  /** The text of a here-document or here-string. */
  input: string | undefined;
}

/**
 * All commands of a script in POSIX shell or bash: of lists, pipelines, loops, functions and substitutions. Undefined when the
 * text cannot be read with certainty.
 */
export function readShellCommands(script: string): ShellCommand[] | undefined {
  try {
    return new ShellReader(script).read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

const maxDepth = 20;
/** A backslash at the end of a line joins it with the next one, but not in a comment or in single quotes. */
const joinedLine = "\\\n";
const blanks = /^(?:[ \t]|\\\n)+/;
const maxLength = 200_000;
const operators = /^(?:\|\||&&|;;&|;;|;&|\|&|[|&;()\n])/;
const redirections = /^(?:\d+|\{\w+\})?(?:&>>|&>|<<<|<<-|<<|<>|<&|>&|>>|>\||>|<)/;
/** Words that begin or end a compound command; the command follows them. */
const keywords = new Set(["if", "then", "else", "elif", "fi", "while", "until", "do", "done", "{", "}", "!", "esac"]);

interface HereDocument {
  command: ShellCommand;
  end: string;
  stripsTabs: boolean;
  isLiteral: boolean;
}

class ShellReader {
  readonly #text: string;
  readonly #depth: number;
  readonly #commands: ShellCommand[] = [];
  readonly #awaited: HereDocument[] = [];
  #at = 0;
  #command: ShellCommand = newCommand();

  constructor(text: string, depth = 0) {
    if (depth > maxDepth || text.length > maxLength) throw new Unreadable();
    this.#text = text;
    this.#depth = depth;
  }

  read(): ShellCommand[] {
    while (this.#at < this.#text.length) this.#readNext();
    this.#endCommand();
    if (this.#awaited.length > 0) throw new Unreadable();
    return this.#commands;
  }

  #readNext(): void {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const first = rest[0] ?? "";
    if (this.#command.words.length === 0 && /^\[\[\s/.test(rest)) return this.#readTest();
    if (first === " " || first === "\t" || first === "\r") return void this.#at++;
    if (rest.startsWith(joinedLine)) return void (this.#at += joinedLine.length);
    if (first === "#") return this.#skipComment();
    const redirection = redirections.exec(rest)?.[0];
    if (redirection !== undefined) return this.#readRedirection(redirection);
    const operator = operators.exec(rest)?.[0];
    if (operator === undefined) return this.#addWord(this.#readWord());
    this.#at += operator.length;
    this.#endCommand();
    if (operator === "\n" && this.#awaited.length > 0) this.#readHereDocuments();
  }

  /** `[[ … ]]`, where `<`, `>`, `&&` and `||` compare. */
  #readTest(): void {
    const end = this.#text.indexOf("]]", this.#at);
    if (end < 0) throw new Unreadable();
    const inside = this.#text.slice(this.#at + 2, end);
    this.#readExpansions(inside);
    this.#at = end + 2;
    this.#command.words.push({ text: "[[", isDynamic: false }, { text: inside, isDynamic: true });
  }

  #addWord(word: ShellWord): void {
    if (this.#command.words.length === 0 && keywords.has(word.text)) return;
    this.#command.words.push(word);
  }

  #endCommand(): void {
    if (this.#command.words.length > 0 || this.#command.redirects.length > 0) this.#commands.push(this.#command);
    this.#command = newCommand();
  }

  #skipComment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #readRedirection(found: string): void {
    // `<(…)` and `>(…)` are words that run a command.
    const operator = found.replace(/^(?:\d+|\{\w+\})/, "");
    if ((operator === "<" || operator === ">") && this.#text[this.#at + found.length] === "(") {
      this.#at += found.length + 1;
      this.#readInside(this.#upToParenthesis());
      return this.#addWord({ text: "", isDynamic: true });
    }
    this.#at += found.length;
    this.#at += blanks.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
    const start = this.#at;
    const target = this.#readWord();
    const command = this.#command;
    if (operator === "<<" || operator === "<<-") {
      const isLiteral = /["'\\]/.test(this.#text.slice(start, this.#at));
      this.#awaited.push({ command, end: target.text, stripsTabs: operator === "<<-", isLiteral });
    } else if (operator === "<<<") {
      command.input = `${command.input ?? ""}${target.text}\n`;
    } else {
      command.redirects.push({ operator, target });
    }
  }

  #readHereDocuments(): void {
    for (const { command, end, stripsTabs, isLiteral } of this.#awaited.splice(0)) {
      const lines: string[] = [];
      let isEnded = false;
      while (this.#at < this.#text.length) {
        const lineEnd = this.#text.indexOf("\n", this.#at);
        const line = this.#text.slice(this.#at, lineEnd < 0 ? undefined : lineEnd);
        this.#at = lineEnd < 0 ? this.#text.length : lineEnd + 1;
        const content = stripsTabs ? line.replace(/^\t+/, "") : line;
        isEnded = content === end;
        if (isEnded) break;
        lines.push(content);
      }
      // The shell may see an end where this reader sees none, and run what follows.
      if (!isEnded) throw new Unreadable();
      command.input = lines.join("\n");
      if (!isLiteral) this.#readExpansions(command.input);
    }
  }

  /** Commands in the substitutions of an unquoted here-document. */
  #readExpansions(text: string): void {
    const reader = new ShellReader(text, this.#depth + 1);
    while (reader.#at < reader.#text.length) {
      const character = reader.#text[reader.#at];
      if (character === "\\") reader.#at += 2;
      else if (character === "$" || character === "`") reader.#readExpansion();
      else reader.#at++;
    }
    this.#commands.push(...reader.#commands);
  }

  #readWord(): ShellWord {
    let text = "";
    let isDynamic = false;
    for (; this.#at < this.#text.length;) {
      const character = this.#text[this.#at] ?? "";
      if (/[ \t\r\n|&;()<>]/.test(character)) break;
      if (character === "'") text += this.#readSingleQuoted();
      else if (character === '"') {
        const quoted = this.#readDoubleQuoted();
        text += quoted.text;
        isDynamic ||= quoted.isDynamic;
      } else if (character === "\\") {
        const next = this.#text[this.#at + 1] ?? "";
        text += next === "\n" ? "" : next;
        this.#at += 2;
      } else if (character === "$" && this.#text[this.#at + 1] === "'") {
        this.#at++;
        text += this.#readSingleQuoted({ hasEscapes: true });
      } else if (character === "$" || character === "`") {
        text += this.#readExpansion();
        isDynamic = true;
      } else {
        isDynamic ||= "*?[{~".includes(character);
        text += character;
        this.#at++;
      }
    }
    return { text, isDynamic };
  }

  #readSingleQuoted({ hasEscapes = false } = {}): string {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== "'") end += hasEscapes && this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) throw new Unreadable();
    const inside = this.#text.slice(this.#at + 1, end);
    this.#at = end + 1;
    return inside;
  }

  #readDoubleQuoted(): ShellWord {
    let text = "";
    let isDynamic = false;
    for (this.#at++; this.#text[this.#at] !== '"';) {
      const character = this.#text[this.#at];
      if (character === undefined) throw new Unreadable();
      if (character === "\\") {
        const next = this.#text[this.#at + 1] ?? "";
        text += '"\\$`'.includes(next) ? next : next === "\n" ? "" : `\\${next}`;
        this.#at += 2;
      } else if (character === "$" || character === "`") {
        const expansion = this.#readExpansion();
        text += expansion;
        isDynamic ||= expansion !== "$";
      } else {
        text += character;
        this.#at++;
      }
    }
    this.#at++;
    return { text, isDynamic };
  }

  /** Reads `$x`, `${x}`, `$(…)`, `$((…))` or `` `…` ``, and the commands inside. Returns it as written. */
  #readExpansion(): string {
    const start = this.#at;
    if (this.#text[start] === "`") {
      let end = start + 1;
      while (end < this.#text.length && this.#text[end] !== "`") end += this.#text[end] === "\\" ? 2 : 1;
      if (end >= this.#text.length) throw new Unreadable();
      this.#at = end + 1;
      this.#readInside(this.#text.slice(start + 1, end).replaceAll("\\`", "`"));
    } else if (this.#text.startsWith("$(", start)) {
      this.#at = start + 2;
      const inside = this.#upToParenthesis();
      if (!isArithmetic(inside)) this.#readInside(inside);
      else if (/\$\(|`/.test(inside)) throw new Unreadable();
    } else if (this.#text.startsWith("${", start)) {
      const end = this.#text.indexOf("}", start);
      if (end < 0) throw new Unreadable();
      const inside = this.#text.slice(start, end + 1);
      if (/\$\(|`/.test(inside)) throw new Unreadable();
      this.#at = end + 1;
    } else {
      this.#at = start + (/^\$(?:\w+|[@*#?$!-])?/.exec(this.#text.slice(start))?.[0].length ?? 1);
    }
    return this.#text.slice(start, this.#at);
  }

  /** The text up to the closing parenthesis of what was just opened; quotes inside may contain others. */
  #upToParenthesis(): string {
    const start = this.#at;
    for (let open = 1; this.#at < this.#text.length;) {
      const character = this.#text[this.#at];
      if (character === "'") this.#readSingleQuoted();
      else if (character === '"') this.#skipDoubleQuoted();
      else if (character === "\\") this.#at += 2;
      else {
        open += character === "(" ? 1 : character === ")" ? -1 : 0;
        this.#at++;
        if (open === 0) return this.#text.slice(start, this.#at - 1);
      }
    }
    throw new Unreadable();
  }

  #skipDoubleQuoted(): void {
    for (this.#at++; this.#text[this.#at] !== '"';) {
      if (this.#at >= this.#text.length) throw new Unreadable();
      if (this.#text.startsWith("$(", this.#at)) {
        this.#at += 2;
        this.#upToParenthesis();
      } else this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    }
    this.#at++;
  }

  #readInside(script: string): void {
    this.#commands.push(...new ShellReader(script, this.#depth + 1).read());
  }
}

const newCommand = (): ShellCommand => ({ words: [], redirects: [], input: undefined });
