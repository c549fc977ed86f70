/**
 * The numbers that ranking needs, one typed array for each, indexed by slot. A slot is a small
 * integer that stands for one live listing; when a listing is removed, its slot goes to a new one.
 */
export class Columns {
  slug: string[] = [];
  createdAt: Float64Array<ArrayBuffer> = new Float64Array(1024);
  votes: Float64Array<ArrayBuffer> = new Float64Array(1024);
  clicks: Float64Array<ArrayBuffer> = new Float64Array(1024);
  /** The factor of age in the comparison of hot scores (`cooling` in hot.ts). */
  cooling: Float64Array<ArrayBuffer> = new Float64Array(1024);

  /** Makes room for a slot. */
  reserve(slot: number): void {
    if (slot < this.createdAt.length) return;
    const length = Math.max(slot + 1, this.createdAt.length * 2);
    for (const name of ["createdAt", "votes", "clicks", "cooling"] as const) {
      const grown = new Float64Array(length);
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}
