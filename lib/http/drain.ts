import { UnderWay } from "../under_way.ts";

/** A handler that knows which of its requests are not answered yet. */
export interface Drain {
  handler: Deno.ServeHandler;
  /** Resolves when every request that is under way now is answered, or after `ms`. */
  drained(ms: number): Promise<void>;
}

/**
 * Keeps count of requests under way. `Deno.HttpServer.shutdown` takes the body away from a request that has
 * not read it whole (Deno 2.9), so those under way are waited for before it is called.
 */
export function createDrain(handler: Deno.ServeHandler): Drain {
  const underWay = new UnderWay();
  return {
    handler(req, info) {
      const response = handler(req, info);
      if (response instanceof Promise) underWay.add(response);
      return response;
    },
    async drained(ms) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
      await Promise.race([underWay.settled(), patience]);
      clearTimeout(timer);
    },
  };
}
