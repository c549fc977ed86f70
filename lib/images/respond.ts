import { etagOf, notModified, PUBLIC_READ_HEADERS } from "../http/respond.ts";
import { errorFields } from "../log.ts";
import { paths } from "../urls.ts";
import { type Card, cardSvg } from "./card.ts";
import type { Deps } from "./deps.ts";

/**
 * Responds with a card as PNG. The ETag is computed from the SVG, so a client that has the image
 * costs no rendering. If there is no image, redirects to the site's icon.
 */
export async function answerCard(
  deps: Pick<Deps, "images" | "log" | "urls">,
  req: Request,
  card: Card,
): Promise<Response> {
  const svg = cardSvg(card);
  const headers = {
    ...PUBLIC_READ_HEADERS,
    "Cache-Control": "public, max-age=3600, stale-while-revalidate=86400",
    "ETag": etagOf(svg),
  };
  const unchanged = notModified(req, headers);
  if (unchanged !== null) return unchanged;
  const png = await deps.images.render(svg)?.catch((error) => {
    deps.log.warn("picture_not_drawn", errorFields(error));
    return null;
  }) ?? null;
  if (png === null) {
    return new Response(null, {
      status: 302,
      headers: { "Location": deps.urls.to(paths.icon), "Cache-Control": "no-store" },
    });
  }
  return new Response(png, { headers: { ...headers, "Content-Type": "image/png" } });
}
