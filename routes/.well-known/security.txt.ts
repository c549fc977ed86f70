import { define } from "@/lib/app/define.ts";
import { DAY_MS, isoTime } from "@/lib/clock.ts";
import { cached, entity, TYPES } from "@/lib/http/respond.ts";
import { paths } from "@/lib/urls.ts";

/** RFC 9116. It expires a year after the start of this UTC day. */
export const handler = define.handlers({
  GET(ctx) {
    const { env, urls, clock } = ctx.state.deps;
    const today = clock.now() - clock.now() % DAY_MS;
    const contact = env.contactEmail ? `mailto:${env.contactEmail}` : urls.to(paths.about);
    const text = [
      `Contact: ${contact}`,
      `Expires: ${isoTime(today + 365 * DAY_MS)}`,
      "Preferred-Languages: en",
      `Canonical: ${urls.to(paths.securityText)}`,
      "",
    ].join("\n");
    return cached(ctx, entity(text, TYPES.text), { maxAge: 3600 });
  },
});
