import { aiOfTheDayOperations } from "../ai_of_the_day/openapi.ts";
import { auctionOperations } from "../auctions/openapi.ts";
import { discoveryOperations, listOperations } from "../discovery/openapi.ts";
import { guestbookOperations } from "../guestbook/openapi.ts";
import { helpOperations } from "../help/openapi.ts";
import { listingOperations } from "../listings/openapi.ts";
import { noticeOperations } from "../notices/openapi.ts";
import type { Operation } from "../openapi/operation.ts";
import { createMethods } from "../openapi/router.ts";
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

/** The methods that the API allows on a path, or null if no operation has that path. */
export const allowedMethods = createMethods(operations);
