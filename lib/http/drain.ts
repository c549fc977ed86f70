import { atMost } from "../clock.ts";
import { UnderWay } from "../under_way.ts";

/** A handler that knows which of its requests are not answered yet. */
export interface Drain {
  handler: Deno.ServeHandler;
  /** Resolves when every request that is under way now is answered, or after `ms`. */
  drained(ms: number): Promise<void>;
}

/**
 * Wraps a handler so that one can wait for its requests. They must have ended before
 * `Deno.HttpServer.shutdown`, which takes the body away from a request that has not read all of it
 * (Deno 2.9).
 */
export function createDrain(handler: Deno.ServeHandler): Drain {
  const underWay = new UnderWay();
  return {
    handler(req, info) {
      const response = handler(req, info);
      if (response instanceof Promise) underWay.add(response);
      return response;
    },
    drained: (ms) => atMost(ms, underWay.settled()),
  };
}
