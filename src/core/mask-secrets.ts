const mask = "[masked]";

interface Form {
  /** Text in lower case without which the expression matches nothing: the hook has no time to compile them all. */
  readonly hints: readonly string[];
  readonly pattern: () => RegExp;
  readonly replacement: string;
}

// Bounded, and no two quantifiers can match the same text, so that a long line costs no time.
const forms: readonly Form[] = [
  // Keys of Anthropic, OpenAI and Stripe.
  {
    hints: ["sk-", "sk_", "rk_", "pk_"],
    pattern: () => /\b(?:sk|rk|pk)[-_][A-Za-z0-9_-]{16,300}/g,
    replacement: mask,
  },
  // Tokens of GitHub, GitLab and npm.
  {
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "npm_"],
    pattern: () => /\b(?:gh[pousr]_|github_pat_|glpat-|npm_)[A-Za-z0-9_-]{16,300}/g,
    replacement: mask,
  },
  { hints: ["xox"], pattern: () => /\bxox[a-z]-[A-Za-z0-9-]{10,300}/g, replacement: mask },
  { hints: ["akia", "asia"], pattern: () => /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, replacement: mask },
  { hints: ["aiza"], pattern: () => /\bAIza[A-Za-z0-9_-]{30,60}/g, replacement: mask },
  // A JSON Web Token.
  {
    hints: ["eyj"],
    pattern: () => /\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{4,4000}(?:\.[A-Za-z0-9_-]{1,2000})?/g,
    replacement: mask,
  },
  {
    hints: ["private key-----"],
    pattern: () => /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,8000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
    replacement: mask,
  },
  // The end of a private key whose beginning was cut off.
  {
    hints: ["private key-----"],
    pattern: () => /^[^-]{0,8000}-----END [A-Z ]{0,40}PRIVATE KEY-----/,
    replacement: mask,
  },
  // A name that promises a secret, and its value: `API_KEY=…`, `"password": "…"`, `--token …`, `Authorization: Bearer …`. Quotes
  // inside JSON have a backslash.
  {
    hints: ["key", "secret", "token", "passw", "passphrase", "credential", "authorization"],
    pattern: () =>
      /((?:(?:api|access|secret|private|signing|encryption|account)[-_]?key(?:[-_]base)?|secret|token|passw(?:or)?d|passphrase|credentials?|authorization)(?:\\{0,3}["'])?(?:\s{0,3}[=:]\s{0,3}|\s{1,3})(?:bearer |basic |token )?(?:\\{0,3}["'])?)[^\s"'`,;&]{4,2000}/gi,
    replacement: `$1${mask}`,
  },
  { hints: ["pwd="], pattern: () => /([-_]pwd=["']?)[^\s"'`,;&]{1,500}/gi, replacement: `$1${mask}` },
  // `curl -u user:password`, and not the numbers of a user and a group.
  {
    hints: [" -u", "--user"],
    pattern: () => /(\s(?:-u|--user)[\s=]["']?[^\s:"']{1,200}:)(?!\d{1,10}(?:\s|$))[^\s"']{1,500}/g,
    replacement: `$1${mask}`,
  },
  // The password in `https://user:password@host`.
  {
    hints: ["://"],
    pattern: () => /(:\/\/[^\s:/@]{0,200}:)[^\s@/]{1,500}@/g,
    replacement: `$1${mask}@`,
  },
];

/** Replaces what looks like a key, token or password. A heuristic: it cannot know every secret. */
export function maskSecrets(text: string): string {
  const lower = text.toLowerCase();
  return forms
    .filter(({ hints }) => hints.some((hint) => lower.includes(hint)))
    .reduce((left, { pattern, replacement }) => left.replace(pattern(), replacement), text);
}
