import { z } from "zod";

/** What the fetcher is asked for. */
export const FetchRequest = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("get"),
    url: z.string(),
    userAgent: z.string(),
    /** Whether a redirect to another host is refused; a host with or without www. is the same. */
    stayOnHost: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("txt"), host: z.string() }),
]);
export type FetchRequest = z.output<typeof FetchRequest>;

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
    /** Up to 1 MiB as text; null if it came compressed, which was not asked for. */
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
