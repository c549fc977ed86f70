import { parse as parseHost } from "tldts";
import type { EntryKind } from "../entries/entries.ts";
import { entryKeys } from "../entries/keys.ts";
import { rejectProblems } from "../errors.ts";
import type { Command, CommandInput } from "./command.ts";

/** Options that select a command's entries, instead of slugs. All given options must match. */
const selectOptions = {
  since: { isTime: true, selects: true },
  network: { selects: true },
  domain: { selects: true },
};

/** The fields by which commands find a listing or skill. */
export interface Candidate {
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
export function onDomain(domain: string): (entry: Candidate) => boolean {
  const wanted = domain.toLowerCase();
  const { hostname, publicSuffix } = parseHost(wanted);
  if (hostname !== wanted || publicSuffix === wanted) {
    const message = `Enter a domain such as example.com, not ${domain}`;
    rejectProblems([{ field: "domain", message }]);
  }
  return ({ url, sourceUrl }) => {
    const host = URL.parse(url ?? sourceUrl ?? "")?.hostname;
    return host === wanted || host?.endsWith(`.${wanted}`) === true;
  };
}

/** Throws `invalid_input` unless it is a network as commands print it. */
export function requireNetwork(network: string): void {
  if (/^\d{4}-\d\d-\d\d\.[\w-]{22}$/.test(network)) return;
  const message = `Enter a network as show prints it, such as 2026-03-04.k3Jq…, not ${network}`;
  rejectProblems([{ field: "network", message }]);
}
