import { z } from "zod";
import type { Operations } from "../openapi/operation.ts";
import { WEBHOOK_TYPES } from "./events.ts";

const ChannelState = z.object({
  offered: z.boolean().describe("Whether this site offers it"),
  isSet: z.boolean().describe("Whether the project has set an address"),
}).meta({ id: "NoticeChannel" });

/** How a listing's owner is told about events. */
const NoticesBody = z.object({
  ok: z.literal(true),
  channels: z.object({ email: ChannelState, webhook: ChannelState }),
  webhookSecret: z.string().describe("Secret that signs its webhooks; a new edit key changes it"),
}).meta({ id: "NoticeSettings" });

export const noticeOperations: Operations = {
  "GET /api/v1/projects/{slug}/notices": {
    operationId: "getNoticeSettings",
    summary: "A project's notice settings and webhook secret",
    description:
      "Needs the edit key. Set `contactEmail` and `notifyUrl` with PATCH; they are never returned. " +
      "Webhooks follow the Standard Webhooks specification: verify `webhook-signature` with the secret, " +
      "and ignore a `webhook-id` that you have already seen. A body has `timestamp`, `data` (`slug`, `name`, `page`, " +
      `\`text\` and the event's own fields) and \`type\`: ${WEBHOOK_TYPES.join(", ")}.`,
    editKey: true,
    unkept: true,
    responses: { 200: { description: "The settings and the secret", schema: NoticesBody } },
    errors: ["rate_limited"],
  },
};
