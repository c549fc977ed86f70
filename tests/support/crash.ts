import type { KvLike } from "@/lib/kv/store.ts";
import { siteNow } from "./call_sites.ts";
import { kvWith } from "./kv_with.ts";

/**
 * Thrown at the point where a simulated process dies, and by everything that it tries afterward.
 * The store takes a TypeError about limits as final: a dead process waits for nothing.
 */
export class Killed extends TypeError {
  constructor() {
    super("Process was killed; its life may not exceed this point");
  }
}

/** The life of one process: `boundary` is called before and after each step that outlives it. */
export class Life {
  dead = false;
  /** Steps until death; Infinity is a process that lives. */
  stepsLeft = Infinity;
  /** Says at a boundary whether KV or Stripe is lost there without the process dying. */
  breaks: () => boolean = () => false;
  /** The points that this life came to, in order; the last is where it ended. */
  readonly points: string[] = [];

  /** Comes to a point: `before` or `after` a step that others can see. */
  boundary(point: string): void {
    if (this.dead) throw new Killed();
    this.points.push(point);
    if (--this.stepsLeft > 0) return;
    this.dead = true;
    throw new Killed();
  }
}

/** KV as one process sees it: it can die, or lose an answer, before and after each commit. */
export function mortalKv(kv: Deno.Kv, life: Life): KvLike {
  return kvWith(kv, {
    before() {
      if (life.dead) throw new Killed();
    },
    close: () => {},
    operation(operation) {
      const site = siteNow("commit");
      const land = operation.commit.bind(operation);
      operation.commit = () => mortalCommit(land, life, site);
    },
  });
}

async function mortalCommit(land: Deno.AtomicOperation["commit"], life: Life, site: string) {
  life.boundary(`before ${site}`);
  if (life.breaks()) throw new Error("connection to KV lost");
  const result = await land();
  life.boundary(`after ${site}`);
  if (life.breaks()) throw new Error("connection to KV lost");
  return result;
}
