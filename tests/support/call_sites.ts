/**
 * Which line of code a commit or a Stripe call comes from: `lib/payments/checkout.ts:56`. These
 * lines are found in the sources, so that a test can tell if it reached all of them.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { Store } from "@/lib/kv/store.ts";

const root = new URL("../../", import.meta.url);
/** The folders that handle money. */
const FOLDERS = ["lib/payments/", "lib/promotions/", "lib/auctions/"];
const SITE = /\.store\.transact\(|deps\.stripe(?:\.\w+)+\(/;

const current = new AsyncLocalStorage<string>();

/** The current line, or `otherwise` if lines aren't recorded. */
export function siteNow(otherwise: string): string {
  return current.getStore() ?? otherwise;
}

/** A store that records which line each commit comes from. */
export class SitedStore extends Store {
  override transact<T>(...args: Parameters<typeof Store.prototype.transact<T>>): Promise<T> {
    return atSite(() => super.transact<T>(...args));
  }
}

/** A Stripe client that records which line each call comes from. */
export function sitedStripe<T extends object>(stripe: T): T {
  return new Proxy(stripe, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value === "function") {
        return (...args: unknown[]) => atSite(() => value.apply(target, args));
      }
      return typeof value === "object" && value !== null ? sitedStripe(value) : value;
    },
  });
}

/** How many stack frames to search: formatting all of them took a quarter of a play. */
const FRAMES_MAX = 6;

function atSite<T>(run: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES_MAX;
  const frames = new Error().stack!.split("\n").slice(2);
  Error.stackTraceLimit = stackTraceLimit;
  const frame = frames.map((line) =>
    /\/(lib\/(?:payments|promotions|auctions)\/\w+\.ts:\d+)/.exec(line)?.[1]
  )
    .find((site) => site !== undefined);
  return frame === undefined ? run() : current.run(frame, run);
}

/** Every line that commits or calls Stripe. */
export async function moneySites(): Promise<string[]> {
  const sites: string[] = [];
  for (const folder of FOLDERS) {
    for await (const { name } of Deno.readDir(new URL(folder, root))) {
      const lines = (await Deno.readTextFile(new URL(folder + name, root))).split("\n");
      lines.forEach((line, i) => {
        if (SITE.test(line)) sites.push(`${folder}${name}:${i + 1}`);
      });
    }
  }
  return sites.sort();
}
