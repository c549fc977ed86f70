import { familyThemes } from "@/lib/catalog/family_themes.ts";
import { type TestApp, type TestRequest } from "../support/app.ts";

/** A proposal that follows the palette rules. */
export const theme = { name: "Kiln at dusk", ...familyThemes.anthropic.palette };

/** Checks in; `agent` is sent as X-Agent-Name. */
export function sign(app: TestApp, body: unknown, options: TestRequest & { agent?: string } = {}) {
  const { agent, ...init } = options;
  const headers = { ...(agent === undefined ? {} : { "x-agent-name": agent }) };
  return app.json("/api/v1/guestbook", { json: body, headers, ...init });
}

/** The smallest check-in. */
export const line = { catchphrase: "Hello" };
