import type { EntryKind } from "../entries/entries.ts";
import { entryKeys } from "../entries/keys.ts";
import { type DomainError, notFound } from "../errors.ts";
import { foldName } from "../text/name_key.ts";
import type { Deps } from "./deps.ts";
import { type Candidate, onDomain } from "./selection.ts";

/** How one person's entries are found. */
export type FoundBy = "name" | "domain" | "email";

const FITS: Record<FoundBy, (value: string) => (entry: Candidate) => boolean> = {
  domain: onDomain,
  name: (name) => ({ author, submittedBy }) =>
    [author, submittedBy].some((other) => !!other && foldName(other) === foldName(name)),
  email: (email) => ({ contactEmail }) => contactEmail?.toLowerCase() === email.toLowerCase(),
};

/** The error if nothing is found. */
export function nothingFound(by: FoundBy, value: string): DomainError {
  return notFound(
    {
      domain: `Nothing found on the domain ${value}`,
      name: `Nothing found under the name ${value}`,
      email: "No listing has this email address",
    }[by],
  );
}

/**
 * One person's listings and skills, in any state. Reads every record. Throws `invalid_input` if the
 * domain isn't one.
 */
export async function findEntries(
  { store }: Deps,
  by: FoundBy,
  value: string,
): Promise<{ kind: EntryKind; slug: string }[]> {
  const fits = FITS[by](value);
  const found: { kind: EntryKind; slug: string }[] = [];
  for (const kind of ["listing", "skill"] as const) {
    for await (const entry of store.list<Candidate>({ prefix: entryKeys[kind] })) {
      if (fits(entry.value)) found.push({ kind, slug: entry.value.slug });
    }
  }
  return found;
}
