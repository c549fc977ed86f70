/** The places where an owner can publish a token, and what is found there. */
import { Parser } from "htmlparser2";
import type { EntryRef } from "../entries/entries.ts";
import { type Method, provenBy, repositoryFile } from "../entries/verified.ts";
import type { Fetcher } from "../fetching/fetcher.ts";
import type { Fetched, FetchProblem } from "../fetching/schema.ts";
import { sha256 } from "../text/digest.ts";
import { paths, type Urls } from "../urls.ts";

/** The name before a token, and of the file with the token. */
const NAME = "projectory-verification";
const FILE = "projectory.txt";

/** A place, and its expected content. */
export interface Place {
  method: Method;
  /** The name of a TXT record, or a URL. */
  where: string;
  /** What to paste there. */
  content: string;
  /** The expected text of a line or record, or value of the tag. */
  value: string;
}

/** A place, and what was found there instead of the token. */
export interface FruitlessPlace extends Omit<Place, "value"> {
  found: string;
}

/** A claimable entry with its own URL. */
export interface Claimable extends EntryRef {
  url: string;
}

/**
 * The token for an edit key and an entry. It can be public: it reveals neither the key nor the
 * stored hash, and is useless for other entries.
 */
export function tokenOf({ kind, slug }: EntryRef, keyHash: string): string {
  const name = kind === "listing" ? slug : `${kind} ${slug}`;
  return sha256(`${NAME} ${name} ${keyHash}`);
}

/** Every place where a token proves something for an entry. */
export function placesOf({ kind, slug, url }: Claimable, token: string, urls: Urls): Place[] {
  const { hostname } = new URL(url);
  const line = `${NAME}=${token}`;
  const me = `${urls.to(paths[kind](slug))}#${token}`;
  const file = new URL(`/.well-known/${FILE}`, url).href;
  const tag = `<meta name="${NAME}" content="${token}">`;
  const places: Place[] = [
    { method: "dns", where: `_projectory.${hostname}`, content: line, value: line },
    { method: "file", where: file, content: line, value: line },
    { method: "meta", where: url, content: tag, value: token },
    { method: "link", where: url, content: `<link rel="me" href="${me}">`, value: me },
    { method: "repository", where: repositoryFile(url, FILE) ?? "", content: line, value: line },
  ];
  return places.filter(({ method }) => provenBy(url, method) !== null);
}

/**
 * The first place with its token; otherwise what each place had instead. `isUnread` is true if one
 * was skipped because its host is getting too many requests from us. Throws if nothing can be read.
 */
export async function lookAt(
  fetcher: Fetcher,
  places: readonly Place[],
): Promise<{ proof: Place } | { proof: null; fruitless: FruitlessPlace[]; isUnread: boolean }> {
  const pages = new Map<string, Promise<Fetched>>();
  const get = (url: string) => {
    const page = pages.get(url) ?? fetcher.get(url, { stayOnHost: true });
    pages.set(url, page);
    return page;
  };
  const found = await Promise.all(places.map(async (place) => {
    if (place.method === "dns") return foundInRecords(await fetcher.txt(place.where), place);
    return foundInAnswer(await get(place.where), place);
  }));
  const at = found.indexOf(null);
  if (at >= 0) return { proof: places[at]! };
  const fruitless = places.map(({ value: _, ...place }, i) => ({ ...place, found: found[i]! }));
  return { proof: null, fruitless, isUnread: found.includes(NOT_READ.busy) };
}

function foundInRecords(
  answer: Awaited<ReturnType<Fetcher["txt"]>>,
  { value }: Place,
): string | null {
  if (!answer.ok) return NOT_READ[answer.problem];
  if (answer.records.some((record) => record.trim() === value)) return null;
  return answer.records.length === 0 ? "No TXT record" : "TXT records, but not this one";
}

function foundInAnswer(answer: Fetched, place: Place): string | null {
  if (!answer.ok) return NOT_READ[answer.problem];
  const { status, body } = answer;
  if (status !== 200) return `Status ${status} instead of 200`;
  if (body === null) return "An unexpected compressed response";
  if (place.method === "meta" || place.method === "link") {
    return hasTag(body, place) ? null : "A page without this tag";
  }
  const hasLine = body.split(/\r?\n/).some((line) => line.trim() === place.value);
  return hasLine ? null : "A file without this line";
}

/** The elements of a head. Any other element ends it, even if the page leaves out its body tag. */
const HEAD = new Set("html head title base link meta style script noscript template".split(" "));
/**
 * What trackers put inside `noscript`. It doesn't end the head, because a browser with scripts
 * skips it.
 */
const TRACKERS = new Set(["img", "iframe"]);

/**
 * Keeps no more open elements than browsers do. Each further one takes longer, up to a minute for a
 * page of 350,000.
 */
class TagParser extends Parser {
  protected override isVoidElement(name: string): boolean {
    return this["stack"].length > 500 || super.isVoidElement(name);
  }
}

/**
 * Whether a page has a place's tag. A meta tag counts only in the head, before anything that
 * visitors wrote.
 */
function hasTag(body: string, { method, value }: Place): boolean {
  let isThere = false;
  let isHead = true;
  let isScriptless = false;
  const parser = new TagParser({
    onopentag(tag, { rel = "", href, name, content }) {
      isScriptless = tag === "noscript" || (isScriptless && TRACKERS.has(tag));
      isHead &&= isScriptless || HEAD.has(tag);
      isThere ||= method === "meta"
        ? isHead && tag === "meta" && name === NAME && content === value
        : (tag === "a" || tag === "link") && href === value &&
          rel.toLowerCase().split(/\s+/).includes("me");
    },
  });
  parser.end(body);
  return isThere;
}

/** The message for a URL that could not be read. */
const NOT_READ: Record<FetchProblem, string> = {
  bad_url: "An unsupported address: only http and https on ports 80 and 443 work",
  no_address: "An unknown host name",
  private_address: "A private network address",
  other_host: "A redirect to another host, which doesn't count",
  too_many_redirects: "Too many redirects",
  timeout: "No response within 10 seconds",
  bad_certificate: "A certificate that isn't valid for this host",
  unreachable: "No connection",
  busy: "Too many requests to this host right now; try again in a few seconds",
};
