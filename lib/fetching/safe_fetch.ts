/**
 * Reads URLs from strangers. A name is resolved once. It is refused if any of its addresses is not
 * public; otherwise the connection goes to the checked address. Each redirect is checked again.
 */
import ipaddr from "ipaddr.js";
import { Buffer } from "node:buffer";
import http from "node:http";
import https from "node:https";
import { decodeHeaderText } from "../text/header.ts";
import { isPublicAddress } from "../text/public_address.ts";
import type { Net } from "./net.ts";
import {
  type Fetched,
  FETCHED_MAX,
  type FetchProblem,
  type FoundTxt,
  type GetRequest,
  type Posted,
} from "./schema.ts";

/** The time limit (ms) for everything, including redirects and body. */
const DEADLINE_MS = 10_000;
const REDIRECTS_MAX = 5;
const PORTS = new Set(["", "80", "443"]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Thrown for a URL that is not read. */
class Refused extends Error {
  constructor(readonly problem: FetchProblem) {
    super(problem);
  }
}

/** Reads a URL with GET, without cookies. */
export async function safeFetch(
  net: Net,
  options: Omit<GetRequest, "kind"> & { deadlineMs?: number },
): Promise<Fetched> {
  const { userAgent, isPicture = false, deadlineMs = DEADLINE_MS } = options;
  const signal = AbortSignal.timeout(deadlineMs);
  const redirects: number[] = [];
  try {
    let url = webTarget(options.url);
    for (;;) {
      const address = await inTime(publicAddress(net, url), signal);
      const response = await ask(net, { url, address, userAgent, isPicture, signal });
      const { statusCode: status = 0, headers: { location } } = response;
      if (!REDIRECTS.has(status) || location === undefined) {
        const bytes = await inTime(readBody(response), signal)
          .finally(() => response.destroy());
        const body = bytes && bytes.toString(isPicture ? "base64" : "utf8");
        return { ok: true, status, url: url.href, redirects, body };
      }
      response.destroy();
      if (redirects.push(status) > REDIRECTS_MAX) throw new Refused("too_many_redirects");
      const from = url;
      url = webTarget(decodeHeaderText(location), from);
      if (options.stayOnHost && !isTwin(url, from)) throw new Refused("other_host");
    }
  } catch (error) {
    return { ok: false, problem: problemOf(error, signal) };
  }
}

/** Posts to a URL once. Only the status of the response is read. */
export async function safePost(
  net: Net,
  options: {
    url: string;
    userAgent: string;
    headers: Record<string, string>;
    body: string;
    deadlineMs?: number;
  },
): Promise<Posted> {
  const { userAgent, headers, body, deadlineMs = DEADLINE_MS } = options;
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const url = webTarget(options.url);
    const address = await inTime(publicAddress(net, url), signal);
    const response = await ask(net, { url, address, userAgent, signal, post: { headers, body } });
    response.destroy();
    return { ok: true, status: response.statusCode ?? 0 };
  } catch (error) {
    return { ok: false, problem: problemOf(error, signal) };
  }
}

/** Reads the TXT records of a name; empty if there are none. */
export async function findTxt(net: Net, host: string): Promise<FoundTxt> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const records = await inTime(net.txtOf(host), signal);
    return { ok: true, records: records.map((parts) => parts.join("")) };
  } catch (error) {
    if (isNoName(error)) return { ok: true, records: [] };
    return { ok: false, problem: problemOf(error, signal) };
  }
}

/** Whether two URLs have the same host, apart from a leading www. */
function isTwin({ hostname: one }: URL, { hostname: other }: URL): boolean {
  return one === other || one === `www.${other}` || other === `www.${one}`;
}

function webTarget(address: string, base?: URL): URL {
  const url = URL.parse(address, base);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && PORTS.has(url.port) &&
    url.username === "" && url.password === "";
  if (!isWeb) throw new Refused("bad_url");
  return url;
}

/** The address to connect to. `URL` has already normalized decimal and octal addresses. */
async function publicAddress(net: Net, { hostname }: URL): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const addresses = ipaddr.isValid(host) ? [host] : await net.addressesOf(host);
  const [first] = addresses;
  if (first === undefined) throw new Refused("no_address");
  if (!addresses.every(isPublicAddress)) throw new Refused("private_address");
  return first;
}

/** Requests a checked address; uses POST if `post` is given. */
function ask(
  net: Net,
  { url, address, userAgent, isPicture = false, signal, post }: {
    url: URL;
    address: string;
    userAgent: string;
    isPicture?: boolean;
    signal: AbortSignal;
    post?: { headers: Record<string, string>; body: string };
  },
): Promise<http.IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const port = Number(url.port || (isSecure ? 443 : 80));
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const options = {
    ...net.route(address, port),
    path: url.pathname + url.search,
    method: post === undefined ? "GET" : "POST",
    headers: {
      ...post?.headers,
      "Host": url.host,
      "User-Agent": userAgent,
      "Accept": isPicture
        ? "image/png, image/webp, image/jpeg, image/gif"
        : "text/html, text/plain, */*;q=0.5",
      // Nothing is ever decompressed.
      "Accept-Encoding": "identity",
      "Connection": "close",
    },
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = isSecure
      ? https.request({
        ...options,
        // The certificate must match the name, not the address we connect to.
        servername: ipaddr.isValid(host) ? "" : host,
        agent: new https.Agent({ keepAlive: false, ca: net.ca }),
      }, resolve)
      : http.request({ ...options, agent: new http.Agent({ keepAlive: false }) }, resolve);
    request.on("error", reject);
    // It can also close without an error or a response, such as after a 101.
    request.on("close", () => reject(new Error("No response")));
    request.end(post?.body);
  });
}

/** The beginning of a body; null if it is compressed. Throws if the body is truncated. */
async function readBody(response: http.IncomingMessage): Promise<Buffer | null> {
  if ((response.headers["content-encoding"] ?? "identity") !== "identity") return null;
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response) {
    pieces.push(piece);
    size += piece.length;
    if (size >= FETCHED_MAX) break;
  }
  return Buffer.concat(pieces).subarray(0, FETCHED_MAX);
}

/** The result of `work`, unless time runs out first. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/** Whether the name server says that the name, or this kind of record, does not exist. */
function isNoName(error: unknown): boolean {
  return /^(ENOTFOUND|ENODATA|EAI_NONAME|EAI_NODATA)$/.test(
    (error as { code?: string }).code ?? "",
  );
}

function problemOf(error: unknown, signal: AbortSignal): FetchProblem {
  if (error instanceof Refused) return error.problem;
  if (signal.aborted) return "timeout";
  if (isNoName(error)) return "no_address";
  const { code = "", message } = error as Error & { code?: string };
  return /CERT|TLS|SSL|SELF_SIGNED/.test(code) || /certificate/i.test(message)
    ? "bad_certificate"
    : "unreachable";
}
