import { logoOf, type LogoPlace } from "../lib/listings/logo.ts";
import type { PublicListing } from "../lib/listings/schema.ts";
import { monogram } from "../lib/text/monogram.ts";
import { accentClass } from "../lib/themes/stylesheet.ts";
import { paths } from "../lib/urls.ts";

/**
 * An entry's icon: its monogram on its accent color. `size` is `small` in lines and `large` at the
 * top of a page. Purely decorative, as the name is next to it.
 */
export function Tile(
  { name, accent = null, logo = null, size }: {
    name: string;
    /** The name of its accent; null if it has none. */
    accent?: string | null;
    /** Its logo, which covers the monogram once loaded. */
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

/** The tile of a listed project. */
export function ListingTile(
  { listing, size }: { listing: PublicListing; size?: "small" | "large" },
) {
  const { name, accentName } = listing;
  return <Tile name={name} accent={accentName} logo={logoOf(listing)} size={size} />;
}
