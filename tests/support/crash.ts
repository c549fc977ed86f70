import type { KvLike } from "@/lib/kv/store.ts";
import { siteNow } from "./call_sites.ts";
import { kvWith, watchChecks } from "./kv_with.ts";

/**
 * Thrown at the point where a simulated process dies, and by everything it tries afterward. The
 * store treats a TypeError about limits as final, so a dead process doesn't retry.
 */
export class Killed extends TypeError {
  constructor() {
    super("Process was killed; its life may not exceed this point");
  }
}

/**
 * The life of one process: `boundary` is called before and after each step with lasting effects.
 */
export class Life {
  dead = false;
  /** Steps until death; Infinity for a process that lives. */
  stepsLeft = Infinity;
  /** Returns whether KV or Stripe is lost at a boundary without the process dying. */
  breaks: () => boolean = () => false;
  /** The points that this life reached, in order; it ended at the last one. */
  readonly points: string[] = [];

  /** Reaches a point: `before` or `after` a step with effects visible to others. */
  boundary(point: string): void {
    if (this.dead) throw new Killed();
    this.points.push(point);
    if (--this.stepsLeft > 0) return;
    this.dead = true;
    throw new Killed();
  }
}

/**
 * KV as seen by one process: it can die, or lose a response, before and after each commit. Records
 * what a KV server would refuse.
 */
export function mortalKv(kv: Deno.Kv, life: Life, overchecked = new Set<string>()): KvLike {
  return kvWith(kv, {
    before() {
      if (life.dead) throw new Killed();
    },
    close: () => {},
    operation(operation) {
      watchChecks(operation, overchecked);
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
