/** What decides a record's place in the branches of a conversation. */
export interface BranchRole {
  readonly isPrompt: boolean;
  /** A message of Claude. */
  readonly isAnswer: boolean;
  readonly isSidechain: boolean;
}

/** A part of the conversation, with an answer of Claude, that is not on the way from the last record to the first. */
export interface LeftBranch {
  /** The record from which both branches continue. */
  readonly from: number;
  /** The first record of this branch, and of the branch that the next resume sees. */
  readonly first: number;
  readonly otherFirst: number;
  readonly last: number;
  readonly messages: number;
  /** One process cannot have written both: they alternate, or the later one starts without a prompt. */
  readonly isByTwoProcesses: boolean;
}

const prompt = 1;
const answer = 2;
const sidechain = 4;

/** Collects one byte for each record, and then finds the branches that the next resume does not see. */
export class BranchFinder {
  #roles = new Uint8Array(1024);
  #count = 0;

  add({ isPrompt, isAnswer, isSidechain }: BranchRole): void {
    if (this.#count === this.#roles.length) {
      const larger = new Uint8Array(2 * this.#count);
      larger.set(this.#roles);
      this.#roles = larger;
    }
    this.#roles[this.#count++] = (isPrompt ? prompt : 0) | (isAnswer ? answer : 0) | (isSidechain ? sidechain : 0);
  }

  /** `parentOf` is negative for a record without a parent in the file. Records are numbered from 0 in the order of the file. */
  find(parentOf: (record: number) => number): LeftBranch[] {
    const { next, isChosen } = this.#chosenBranch(parentOf);
    const rootOf = new Int32Array(this.#count).fill(-1);
    const branches = new Map<number, { last: number; messages: number; hasAnswer: boolean }>();
    for (let record = 0; record < this.#count; record++) {
      const parent = parentOf(record);
      if (isChosen[record] === 1 || parent < 0 || parent >= record || this.#has(record, sidechain)) continue;
      const root = isChosen[parent] === 1 ? record : (rootOf[parent] ?? -1);
      if (root < 0) continue;
      rootOf[record] = root;
      const branch = branches.get(root) ?? { last: record, messages: 0, hasAnswer: false };
      branches.set(root, branch);
      branch.last = record;
      if (this.#has(record, prompt | answer)) branch.messages++;
      branch.hasAnswer ||= this.#has(record, answer);
    }
    return [...branches].flatMap(([first, { last, messages, hasAnswer }]): LeftBranch[] => {
      const from = parentOf(first);
      const otherFirst = next[from] ?? -1;
      // Without a prompt at its start a branch is a step of the same turn: a parallel tool call, or a retry.
      if (!hasAnswer || otherFirst < 0 || !(this.#has(first, prompt) || this.#has(otherFirst, prompt))) return [];
      const alternate = otherFirst < first || last > otherFirst;
      const isByTwoProcesses = alternate || !this.#has(otherFirst, prompt);
      if (!isByTwoProcesses && !this.#has(first, prompt)) return [];
      return [{ from, first, otherFirst, last, messages, isByTwoProcesses }];
    });
  }

  /** The branch that ends with the last record, as flags and as the next record of each. */
  #chosenBranch(parentOf: (record: number) => number): { next: Int32Array; isChosen: Uint8Array } {
    const isChosen = new Uint8Array(this.#count);
    const next = new Int32Array(this.#count).fill(-1);
    let record = this.#count - 1;
    while (record >= 0 && this.#has(record, sidechain)) record--;
    while (record >= 0 && isChosen[record] === 0 && !this.#has(record, sidechain)) {
      isChosen[record] = 1;
      const parent = parentOf(record);
      if (parent >= 0) next[parent] = record;
      record = parent;
    }
    return { next, isChosen };
  }

  #has(record: number, role: number): boolean {
    return ((this.#roles[record] ?? 0) & role) !== 0;
  }
}
