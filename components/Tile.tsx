import { logoOf, type LogoPlace } from "../lib/listings/logo.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { monogram } from "../lib/text/monogram.ts";
import { accentClass } from "../lib/themes/stylesheet.ts";
import { paths } from "../lib/urls.ts";

/**
 * What stands for an entry where a picture of it would be: its monogram on its accent color. `size` is
 * `small` in lines and `large` at the head of a page. Decoration only, as its name is beside it.
 */
export function Tile(
  { name, accent = null, logo = null, size }: {
    name: string;
    /** The name of its accent; null if it has none. */
    accent?: string | null;
    /** Its logo, which covers the monogram once it has loaded. */
    logo?: LogoPlace | null;
    size?: "small" | "large";
  },
) {
  const style = ["tile", size, accent !== null && accentClass(accent)].filter(Boolean).join(" ");
  return (
    <span class={style} aria-hidden="true">
      {monogram(name)}
      {logo !== null && (
        <img
          src={paths.listingLogo(logo.slug, logo.version)}
          alt=""
          loading="lazy"
          data-fresh-disable-lock
        />
      )}
    </span>
  );
}

/** The tile of a project that is listed. */
export function ListingTile(
  { listing, size }: { listing: PublicListing; size?: "small" | "large" },
) {
  const { name, accentName } = listing;
  return <Tile name={name} accent={accentName} logo={logoOf(listing)} size={size} />;
}
