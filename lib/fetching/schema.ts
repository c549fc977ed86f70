import { z } from "zod";

/** How many bytes of a body are read. */
export const FETCHED_MAX = 1024 * 1024;

/** A request to the fetcher. */
export const FetchRequest = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("get"),
    url: z.string(),
    userAgent: z.string(),
    /** Whether to refuse redirects to another host; hosts with and without www. are the same. */
    stayOnHost: z.boolean().optional(),
    /** Whether to expect a picture: then the body comes in base64. */
    isPicture: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("txt"), host: z.string() }),
  z.object({
    kind: z.literal("post"),
    url: z.string(),
    userAgent: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  z.object({
    kind: z.literal("mail"),
    /** The operator's mail server, which may be on a private network. */
    smtpUrl: z.string(),
    /** This site's name, for the mail server and the message id. */
    host: z.string(),
    from: z.object({ name: z.string(), address: z.string() }),
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    messageId: z.string(),
    date: z.string(),
    unsubscribeUrl: z.string(),
  }),
]);
export type FetchRequest = z.output<typeof FetchRequest>;
/** A URL to read. */
export type GetRequest = Extract<FetchRequest, { kind: "get" }>;

/**
 * Why a URL was not read. `bad_url`: not http(s) on port 80 or 443. `no_address`: unknown host.
 * `private_address`: it leads into a private network. `other_host`: an unwanted redirect to another
 * host. `busy`: its host is getting too many requests from us.
 */
export const FetchProblem = z.enum([
  "bad_url",
  "no_address",
  "private_address",
  "other_host",
  "too_many_redirects",
  "timeout",
  "bad_certificate",
  "unreachable",
  "busy",
]);
export type FetchProblem = z.output<typeof FetchProblem>;

const Failed = z.object({ ok: z.literal(false), problem: FetchProblem });

/** The response from a URL. */
export const Fetched = z.union([
  z.object({
    ok: z.literal(true),
    status: z.int(),
    /** The URL after redirects, and the status of each. */
    url: z.string(),
    redirects: z.array(z.int()),
    /**
     * Up to 1 MiB as text, or in base64; null if it came compressed even though we did not ask for
     * that.
     */
    body: z.string().nullable(),
  }),
  Failed,
]);
export type Fetched = z.output<typeof Fetched>;

/** A name's TXT records, each with its parts joined. */
export const FoundTxt = z.union([
  z.object({ ok: z.literal(true), records: z.array(z.string()) }),
  Failed,
]);
export type FoundTxt = z.output<typeof FoundTxt>;

/** The response to a POST. */
export const Posted = z.union([z.object({ ok: z.literal(true), status: z.int() }), Failed]);
export type Posted = z.output<typeof Posted>;

/** An email, and the server to send it through. */
export type Mail = Omit<Extract<FetchRequest, { kind: "mail" }>, "kind">;

/**
 * Whether the mail server took a message; if not, a code that names no address, and whether the
 * refusal is final.
 */
export const Mailed = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), problem: z.string(), isFinal: z.boolean() }),
]);
export type Mailed = z.output<typeof Mailed>;
