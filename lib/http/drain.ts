import { atMost } from "../clock.ts";

/**
 * Wraps a handler and lets a shutdown wait for its requests. They must end before
 * `Deno.HttpServer.shutdown`, which cuts off bodies that are still being read (Deno 2.9).
 */
export function createDrain(handler: Deno.ServeHandler) {
  const open = new Set<Promise<unknown>>();
  return {
    handler(req: Request, info: Deno.ServeHandlerInfo) {
      const response = Promise.resolve(handler(req, info));
      open.add(response);
      const end = () => open.delete(response);
      response.then(end, end);
      return response;
    },
    /** Resolves when all requests open now have ended, or after `ms`. */
    drained: (ms: number) => atMost(ms, Promise.allSettled(open)),
  };
}
