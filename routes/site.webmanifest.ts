import { asset } from "fresh/runtime";
import { define } from "@/lib/app/define.ts";
import { cachedJson, TYPES } from "@/lib/http/respond.ts";
import { paths } from "@/lib/urls.ts";

/** The name and icons for the site on a phone's home screen. */
export const handler = define.handlers({
  GET(ctx) {
    const { siteName } = ctx.state.deps.env;
    const manifest = {
      name: siteName,
      short_name: siteName,
      start_url: paths.home,
      display: "browser",
      background_color: "#FBFAF6",
      theme_color: "#1954C7",
      icons: [192, 512].map((size) => ({
        src: asset(`/icon-${size}.png`),
        sizes: `${size}x${size}`,
        type: "image/png",
      })),
    };
    return cachedJson(ctx, manifest, { type: TYPES.manifest, maxAge: 3600 });
  },
});
