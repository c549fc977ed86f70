import { atMost } from "../clock.ts";

/** A handler that knows which of its requests are not answered yet. */
export interface Drain {
  handler: Deno.ServeHandler;
  /** Resolves when every request that is under way now is answered, or after `ms`. Call it once. */
  drained(ms: number): Promise<void>;
}

/**
 * Wraps a handler so that one can wait for its requests. They must have ended before
 * `Deno.HttpServer.shutdown`, which takes the body away from a request that has not read all of it
 * (Deno 2.9).
 */
export function createDrain(handler: Deno.ServeHandler): Drain {
  // Those that come later are counted apart: they may be so many that there is always one.
  let requests = { open: 0, ended: () => {} };
  return {
    handler(req, info) {
      const response = handler(req, info);
      if (!(response instanceof Promise)) return response;
      const own = requests;
      own.open++;
      const end = () => {
        if (--own.open === 0) own.ended();
      };
      response.then(end, end);
      return response;
    },
    async drained(ms) {
      const before = requests;
      requests = { open: 0, ended: () => {} };
      if (before.open > 0) await atMost(ms, new Promise<void>((end) => before.ended = end));
    },
  };
}
