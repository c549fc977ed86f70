import type { ComponentChildren } from "preact";
import type { Deps } from "../lib/app/deps.ts";
import type { EntryRef } from "../lib/entries/entries.ts";
import { ListingBrief } from "./ListingRow.tsx";
import { SkillBrief } from "./SkillRow.tsx";

/**
 * A form about an entry, next to text (`lead`) that says what it is for. The entry is shown if it
 * is public; a form about the site has none. `more` has other pages for its owner: paths by label.
 */
export function EntryTask({ deps, entry, lead, more, children }: {
  deps: Deps;
  entry?: EntryRef;
  lead: ComponentChildren;
  more?: Readonly<Record<string, string | false | null>>;
  children: ComponentChildren;
}) {
  const listing = entry?.kind === "listing" && deps.catalogue.get(entry.slug);
  const skill = entry?.kind === "skill" && deps.skills.get(entry.slug);
  return (
    <div class="topic task">
      <div>
        <p class="lead">{lead}</p>
        {(listing || skill) && (
          <ul class="plain briefs">
            {listing && <ListingBrief listing={listing} />}
            {skill && <SkillBrief skill={skill} />}
          </ul>
        )}
        {more && (
          <p class="cluster links">
            {Object.entries(more).map(([label, path]) =>
              path && <a key={path} href={path}>{label}</a>
            )}
          </p>
        )}
      </div>
      <div>{children}</div>
    </div>
  );
}
