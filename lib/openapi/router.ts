import { addRoute, createRouter, findAllRoutes } from "rou3";
import type { Operation } from "./operation.ts";

/**
 * Makes a function that returns the methods that some operations support on a path (GET includes
 * HEAD); null if none has that path.
 */
export function createMethods(
  operations: readonly Operation[],
): (pathname: string) => string[] | null {
  const router = createRouter<string>();
  for (const { method, path } of operations) {
    addRoute(router, "", path.replaceAll(/\{(\w+)\}/g, ":$1"), method.toUpperCase());
  }
  return (pathname) => {
    const methods = findAllRoutes(router, "", pathname).map(({ data }) => data);
    if (methods.length === 0) return null;
    return methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
  };
}
