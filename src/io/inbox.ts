/** A queue: items from several sources are taken one by one, in order of arrival. */
export class Inbox<Item> {
  readonly #items: Item[] = [];
  #waiting: ((item: Item) => void) | undefined;

  post(item: Item): void {
    if (this.#waiting) this.#waiting(item);
    else this.#items.push(item);
    this.#waiting = undefined;
  }

  take(): Promise<Item> {
    const [first] = this.#items.splice(0, 1);
    if (first !== undefined) return Promise.resolve(first);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}
