import { addRoute, createRouter, findAllRoutes } from "rou3";
import { operations } from "./operations.ts";

const router = createRouter<string>();
for (const { method, path } of operations) {
  addRoute(router, "", path.replaceAll(/\{(\w+)\}/g, ":$1"), method.toUpperCase());
}

/**
 * The methods that the API answers on a path (GET includes HEAD), or null if no operation has it.
 */
export function allowedMethods(pathname: string): string[] | null {
  const methods = findAllRoutes(router, "", pathname).map(({ data }) => data);
  if (methods.length === 0) return null;
  return methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
}
