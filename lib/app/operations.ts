import { addRoute, createRouter, findAllRoutes } from "rou3";
import { aiOfTheDayOperations } from "../ai_of_the_day/openapi.ts";
import { auctionOperations } from "../auctions/openapi.ts";
import { discoveryOperations, listOperations } from "../discovery/openapi.ts";
import { guestbookOperations } from "../guestbook/openapi.ts";
import { helpOperations } from "../help/openapi.ts";
import { listingOperations } from "../listings/openapi.ts";
import { noticeOperations } from "../notices/openapi.ts";
import type { Operation } from "../openapi/operation.ts";
import { siteOperations } from "../openapi/site.ts";
import { operatorOperations } from "../operator/openapi.ts";
import { ownerOperations } from "../owners/openapi.ts";
import { webhookOperations } from "../payments/openapi.ts";
import { pollOperations } from "../poll/openapi.ts";
import { promotionOperations } from "../promotions/openapi.ts";
import { skillOperations } from "../skills/openapi.ts";
import { statsOperations } from "../stats/openapi.ts";

/** The API's route table: each domain's operations, in document order. */
export const operations: readonly Operation[] = [
  ...siteOperations,
  ...discoveryOperations,
  ...helpOperations,
  ...operatorOperations,
  ...listOperations,
  ...listingOperations,
  ...promotionOperations,
  ...auctionOperations,
  ...pollOperations,
  ...guestbookOperations,
  ...aiOfTheDayOperations,
  ...skillOperations,
  ...ownerOperations,
  ...noticeOperations,
  ...statsOperations,
  ...webhookOperations,
];

const router = createRouter<string>();
for (const { method, path } of operations) {
  addRoute(router, "", path.replaceAll(/\{(\w+)\}/g, ":$1"), method.toUpperCase());
}

/** The methods that the API allows on a path (GET includes HEAD); null if no operation has it. */
export function allowedMethods(pathname: string): string[] | null {
  const methods = findAllRoutes(router, "", pathname).map(({ data }) => data);
  if (methods.length === 0) return null;
  return methods.flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
}
