import { addRoute, createRouter, findAllRoutes } from "rou3";
import { operations } from "./operations.ts";

const router = createRouter<string>();
for (const { method, path } of operations) {
  addRoute(
    router,
    method.toUpperCase(),
    path.replaceAll(/\{(\w+)\}/g, ":$1"),
    method.toUpperCase(),
  );
}

/**
 * The methods that the API answers on a path (GET includes HEAD), or null if no operation has it.
 */
export function allowedMethods(pathname: string): string[] | null {
  const methods = ["GET", "POST", "PATCH", "DELETE"].filter((method) =>
    findAllRoutes(router, method, pathname).length > 0
  );
  if (methods.length === 0) return null;
  return methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
}
