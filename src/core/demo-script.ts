/** One turn of the scripted Claude of the demo: a tool call and its answer. */
export interface DemoTurn {
  readonly tool: "Read" | "Write" | "Bash";
  /** A path or a command. */
  readonly subject: string;
  /** The text that Write writes. */
  readonly content?: string;
  /** The directory that the command deletes. */
  readonly deletes?: string;
  /** Size of the answer in bytes. */
  readonly answer: number;
  /** Tokens in the context after the turn. */
  readonly tokens: number;
  /** The finished step that Claude reports after the turn. */
  readonly step?: string;
}

export type DemoEnd =
  | { readonly kind: "done"; readonly answer: string }
  | { readonly kind: "limit" }
  | { readonly kind: "crash" }
  | { readonly kind: "too-long"; readonly tokens: number };

/** One attempt of the scripted Claude. */
export interface DemoPart {
  readonly turns: readonly DemoTurn[];
  readonly end: DemoEnd;
}

export type DemoStory = "totals" | "review" | "careless";

/** Three attempts at one task: a limit, a crash, success. */
const totals: readonly DemoPart[] = [
  {
    turns: [
      { tool: "Read", subject: "src/cart.ts", answer: 900, tokens: 14_000, step: "read the cart" },
      {
        tool: "Write",
        subject: "src/money.ts",
        content:
          "/** Half a cent and more is a cent. */\nexport const round = (cents: number): number => Math.round(cents);\n",
        answer: 60,
        tokens: 16_000,
        step: "wrote src/money.ts",
      },
    ],
    end: { kind: "limit" },
  },
  {
    turns: [
      {
        tool: "Write",
        subject: "src/cart.ts",
        content:
          'import { round } from "./money.ts";\n\nexport const total = (prices: number[]): number => round(prices.reduce((a, b) => a + b, 0));\n',
        answer: 60,
        tokens: 19_000,
        step: "the cart rounds its totals",
      },
    ],
    end: { kind: "crash" },
  },
  {
    turns: [{ tool: "Bash", subject: "npm test", answer: 400, tokens: 22_000, step: "all tests pass" }],
    end: { kind: "done", answer: "The totals are rounded in src/money.ts, and the cart uses it. All tests pass." },
  },
];

const modules = ["cart", "catalog", "checkout", "customers", "invoices", "shipping", "stock", "taxes", "vouchers"];

/** Claude reads files until the context overflows; from a mark that fits, it finishes. */
const review: readonly DemoPart[] = [
  {
    turns: modules.flatMap((name, index) => {
      const tokens = 20_000 * (index + 1) + 12_000;
      return [
        { tool: "Read", subject: `src/${name}.ts`, answer: 75_000, tokens },
        { tool: "Write", subject: `notes/${name}.md`, content: `# ${name}\n`, answer: 60, tokens: tokens + 400 },
      ] as const;
    }),
    end: { kind: "too-long", tokens: 204_813 },
  },
  {
    turns: [
      {
        tool: "Write",
        subject: "REVIEW.md",
        content: "# Review\n\nNine modules, two to fix.\n",
        answer: 60,
        tokens: 94_000,
      },
    ],
    end: { kind: "done", answer: "REVIEW.md is written: nine modules, two to fix." },
  },
];

/** Claude deletes a directory whose files are in no commit. */
const careless: readonly DemoPart[] = [
  {
    turns: [{ tool: "Bash", subject: "rm -rf src", deletes: "src", answer: 0, tokens: 12_000 }],
    end: { kind: "done", answer: "I removed src/, it looked unused." },
  },
];

export const demoStories: Readonly<Record<DemoStory, readonly DemoPart[]>> = { totals, review, careless };
