import { atMost } from "../clock.ts";

/** A handler that tracks its open requests. */
interface Drain {
  handler: Deno.ServeHandler;
  /** Resolves when all requests open now have ended, or after `ms`. Call it once. */
  drained(ms: number): Promise<void>;
}

/**
 * Wraps a handler and lets a shutdown wait for its requests. They must end before
 * `Deno.HttpServer.shutdown`, which cuts off bodies that are still being read (Deno 2.9).
 */
export function createDrain(handler: Deno.ServeHandler): Drain {
  // Later requests are counted separately: there could always be one open.
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
