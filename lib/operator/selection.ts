import { domainToASCII } from "node:url";
import { parse as parseHost } from "tldts";
import type { EntryKind, EntryRef } from "../entries/entries.ts";
import { entryKeys } from "../entries/keys.ts";
import { type DomainError, notFound, rejectProblems } from "../errors.ts";
import { emailForm } from "../text/addresses.ts";
import { foldName } from "../text/name_key.ts";
import type { Command, CommandInput } from "./command.ts";
import type { Deps } from "./deps.ts";

/** Options that select a command's entries, instead of slugs. All given options must match. */
const selectOptions = {
  since: { isTime: true, selects: true },
  network: { selects: true },
  domain: { selects: true },
};

/** The fields by which commands find a listing or skill. */
interface Candidate {
  slug: string;
  createdAt: number;
  network?: string;
  url?: string;
  sourceUrl?: string | null;
  author?: string | null;
  submittedBy: string | null;
  contactEmail?: string | null;
}

/**
 * The parts of a command for many entries: it takes slugs, standard input, or all entries since a
 * time, from a network (as `show` prints it) or with a URL on a domain.
 */
export function manyEntries(
  kind: EntryKind,
  options: Command["options"] = {},
): Pick<Command, "args" | "isMany" | "options" | "select"> {
  return {
    args: ["slug"],
    isMany: true,
    options: { ...selectOptions, ...options },
    select: (input) => selectEntries(kind, input),
  };
}

/** The slugs of the selected entries, oldest first. Reads every record. */
async function selectEntries(
  kind: EntryKind,
  { deps, options }: Pick<CommandInput, "deps" | "options">,
): Promise<string[]> {
  const since = options.since === undefined ? -Infinity : Date.parse(options.since);
  const { network } = options;
  if (network !== undefined) requireNetwork(network);
  const isWanted = options.domain === undefined ? () => true : onDomain(options.domain);
  const found: Candidate[] = [];
  for await (const { value } of deps.store.list<Candidate>({ prefix: entryKeys[kind] })) {
    if (value.createdAt < since) continue;
    if (network !== undefined && value.network !== network) continue;
    if (!isWanted(value)) continue;
    found.push(value);
  }
  return found.sort((a, b) => a.createdAt - b.createdAt).map(({ slug }) => slug);
}

/**
 * Whether an entry's URL is on a domain or one of its subdomains. Throws `invalid_input` if it isn't
 * a domain, or one like org or co.uk, which many strangers share.
 */
function onDomain(domain: string): (entry: Candidate) => boolean {
  const wanted = domainToASCII(domain);
  const { hostname, publicSuffix } = parseHost(wanted);
  if (hostname !== wanted || publicSuffix === wanted) {
    const message = `Enter a domain such as example.com, not ${domain}`;
    rejectProblems([{ field: "domain", message }]);
  }
  return ({ url, sourceUrl }) => {
    const host = URL.parse(url ?? sourceUrl ?? "")?.hostname.replace(/\.$/, "");
    return host === wanted || host?.endsWith(`.${wanted}`) === true;
  };
}

/** How one person's entries are found. */
export type FoundBy = "name" | "domain" | "email";

const FITS: Record<FoundBy, (value: string) => (entry: Candidate) => boolean> = {
  domain: onDomain,
  name: (name) => ({ author, submittedBy }) =>
    [author, submittedBy].some((other) => !!other && foldName(other) === foldName(name)),
  email: (email) => ({ contactEmail }) =>
    !!contactEmail && emailForm(contactEmail) === emailForm(email),
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
): Promise<EntryRef[]> {
  const fits = FITS[by](value);
  const found: EntryRef[] = [];
  for (const kind of ["listing", "skill"] as const) {
    for await (const entry of store.list<Candidate>({ prefix: entryKeys[kind] })) {
      if (fits(entry.value)) found.push({ kind, slug: entry.value.slug });
    }
  }
  return found;
}

/** Throws `invalid_input` unless it is a network as commands print it. */
export function requireNetwork(network: string): void {
  if (/^\d{4}-\d\d-\d\d\.[\w-]{22}$/.test(network)) return;
  const message = `Enter a network as show prints it, such as 2026-03-04.k3Jq…, not ${network}`;
  rejectProblems([{ field: "network", message }]);
}
