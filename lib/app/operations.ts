import { addRoute, createRouter, findAllRoutes } from "rou3";
import { z } from "zod";
import { aiOfTheDayOperations } from "../ai_of_the_day/openapi.ts";
import { auctionOperations } from "../auctions/openapi.ts";
import { discoveryOperations, listOperations } from "../discovery/openapi.ts";
import { DomainError } from "../errors.ts";
import { guestbookOperations } from "../guestbook/openapi.ts";
import { helpOperations } from "../help/openapi.ts";
import { unknownParameters } from "../http/input.ts";
import { listingOperations } from "../listings/openapi.ts";
import { noticeOperations } from "../notices/openapi.ts";
import type { Operation, Operations } from "../openapi/operation.ts";
import { siteOperations } from "../openapi/site.ts";
import type { Tag } from "../openapi/tags.ts";
import { operatorOperations } from "../operator/openapi.ts";
import { ownerOperations } from "../owners/openapi.ts";
import { webhookOperations } from "../payments/openapi.ts";
import { pollOperations } from "../poll/openapi.ts";
import { promotionOperations } from "../promotions/openapi.ts";
import { skillOperations } from "../skills/openapi.ts";
import { statsOperations } from "../stats/openapi.ts";

/** The API's route table, in document order: the tag and operations of each feature. */
const routes: readonly (readonly [Tag, Operations])[] = [
  ["Service", siteOperations],
  ["Discovery", discoveryOperations],
  ["Service", helpOperations],
  ["Service", operatorOperations],
  ["Listings", listOperations],
  ["Listings", listingOperations],
  ["Promotion", promotionOperations],
  ["Auctions", auctionOperations],
  ["Poll", pollOperations],
  ["Guestbook", guestbookOperations],
  ["Guestbook", aiOfTheDayOperations],
  ["Skills", skillOperations],
  ["Listings", ownerOperations],
  ["Listings", noticeOperations],
  ["Service", statsOperations],
  ["Payments", webhookOperations],
];

/** The API's operations, in document order. */
export const operations = routes.flatMap(([tag, rows]) =>
  Object.entries(rows).map(([route, row]): Operation => {
    const [method, path] = route.split(" ") as [Operation["method"], string];
    return { method, path, tag, ...row };
  })
);

const router = createRouter<Operation>();
for (const operation of operations) {
  addRoute(router, "", operation.path.replaceAll(/\{(\w+)\}/g, ":$1"), operation);
}

/** The operations on a path. */
function operationsOn(pathname: string): Operation[] {
  return findAllRoutes(router, "", pathname).map(({ data }) => data);
}

/** The methods that the API allows on a path (GET includes HEAD); null if no operation has it. */
export function allowedMethods(pathname: string): string[] | null {
  const methods = operationsOn(pathname).map(({ method }) => method);
  if (methods.length === 0) return null;
  return methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
}

/**
 * Throws `invalid_input` if a write in the API has a query parameter that its operation doesn't
 * have: what was meant as a dry run would take effect.
 */
export function refuseUnknownParameters({ method }: Request, url: URL): void {
  if (url.search === "") return;
  const operation = operationsOn(url.pathname)
    .find((known) => known.method === method);
  if (operation === undefined) return;
  const query = operation.query ?? z.object();
  const known = Object.keys(query.shape).join(", ");
  const message = known === ""
    ? "This request takes no query parameters"
    : `Unknown query parameter. Known: ${known}`;
  const problems = (unknownParameters(query, url) ?? []).map((field) => ({ field, message }));
  if (problems.length > 0) throw new DomainError("invalid_input", problems);
}
