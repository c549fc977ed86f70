import { z } from "zod";

/** How many bytes of a body are read. */
export const FETCHED_MAX = 1024 * 1024;

/** What the fetcher is asked for. */
export const FetchRequest = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("get"),
    url: z.string(),
    userAgent: z.string(),
    /** Whether a redirect to another host is refused; a host with or without www. is the same. */
    stayOnHost: z.boolean().optional(),
    /** Whether a picture is asked for: then the body comes in base64. */
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
    /** Of the operator's mail server, which may be in a private network. */
    smtpUrl: z.string(),
    /** The name of this site, for the mail server and in the message's id. */
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
/** An address to be read. */
export type GetRequest = Extract<FetchRequest, { kind: "get" }>;

/**
 * Why an address was not read. `bad_url`: not http(s) on port 80 or 443. `no_address`: its name is
 * unknown. `private_address`: it leads into a private network. `other_host`: it redirects to another
 * host, which was not wanted. `busy`: its host is asked too often.
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

/** The answer of an address. */
export const Fetched = z.union([
  z.object({
    ok: z.literal(true),
    status: z.int(),
    /** Where the redirects led, and the status of each. */
    url: z.string(),
    redirects: z.array(z.int()),
    /** Up to 1 MiB as text, or in base64; null if it came compressed, which was not asked for. */
    body: z.string().nullable(),
  }),
  Failed,
]);
export type Fetched = z.output<typeof Fetched>;

/** The TXT records of a name, each with its parts joined. */
export const FoundTxt = z.union([
  z.object({ ok: z.literal(true), records: z.array(z.string()) }),
  Failed,
]);
export type FoundTxt = z.output<typeof FoundTxt>;

/** How an address answered a POST. */
export const Posted = z.union([z.object({ ok: z.literal(true), status: z.int() }), Failed]);
export type Posted = z.output<typeof Posted>;

/** An email, and the server that is to send it. */
export type Mail = Omit<Extract<FetchRequest, { kind: "mail" }>, "kind">;

/** Whether the mail server took a message; if not, a code that names no address, and whether it ever will. */
export const Mailed = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), problem: z.string(), isFinal: z.boolean() }),
]);
export type Mailed = z.output<typeof Mailed>;
