import { addRoute, createRouter, findAllRoutes } from "rou3";
import type { Operation } from "./operation.ts";

/**
 * Makes the function that tells which methods some operations answer on a path (GET includes HEAD); null
 * if none of them has it.
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
