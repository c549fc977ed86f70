/** Ids by a text that several may share, in ascending order. Most texts have one. */
export class IdsByText {
  readonly #ids = new Map<string, number | number[]>();

  get(text: string): readonly number[] {
    const known = this.#ids.get(text);
    return known === undefined ? [] : typeof known === "number" ? [known] : known;
  }

  add(text: string, id: number): void {
    const known = this.#ids.get(text);
    if (known === undefined) this.#ids.set(text, id);
    else if (typeof known === "number") this.#ids.set(text, [known, id].sort((a, b) => a - b));
    else known.splice(known.findLastIndex((other) => other < id) + 1, 0, id);
  }

  remove(text: string, id: number): void {
    const known = this.#ids.get(text);
    if (known === id) this.#ids.delete(text);
    if (typeof known !== "object") return;
    known.splice(known.indexOf(id), 1);
    if (known.length === 1) this.#ids.set(text, known[0]!);
  }
}
