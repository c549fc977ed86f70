import { assert, assertEquals } from "@std/assert";
import { type ErrorCode, ERRORS } from "@/lib/errors.ts";
import { WebDouble } from "../../fetching/web_double.ts";
import { submit } from "../../support/listings.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../../support/payments.ts";
import { rounds, runSeed, seededRandom } from "../../support/runs.ts";
import { share } from "../../support/skills.ts";
import { wholeNumber } from "../from_schema.ts";
import { type GeneratedRequest, type Known, pagePaths, requestGenerator } from "../requests.ts";

/** The longest a request may take, in ms. */
const SLOWEST = 2000;

/** Server errors in the contract or ARD that an in-memory service can return. */
const EXPECTED_5XX = new Set<ErrorCode>(["stripe_error", "stripe_no_url", "not_implemented"]);

Deno.test("generated HTTP requests get no unspecified 5xx, slow response or malformed error (invariant 31)", async () => {
  const seed = runSeed("http fuzz");
  const random = seededRandom(seed);
  await using web = new WebDouble();
  await using app = await paidApp();
  app.deps.fetcher = web.fetcher;
  const known = await fill(app);
  const document = await (await app.request("/openapi.json")).json();
  const next = requestGenerator(document, known, random);
  const statuses = new Map<string, number>();
  const total = rounds(700, 100_000);
  for (let i = 0; i < total; i++) {
    const request = next();
    const answer = await judge(app, request, `request ${i}`);
    const key = `${request.kind} ${Math.floor(answer.status / 100)}xx`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
    if (answer.editKey !== undefined && known.keys.length < 200) known.keys.push(answer.editKey);
    app.clock.advance(wholeNumber(random, 0, 2000));
  }
  for (const kind of ["valid", "one_field_broken", "hostile_field", "page"]) {
    assert((statuses.get(`${kind} 2xx`) ?? 0) > 0, `no ${kind} request was accepted`);
  }
  for (const kind of ["one_field_broken", "random_json", "raw_bytes", "hostile_path"]) {
    assert((statuses.get(`${kind} 4xx`) ?? 0) > 0, `no ${kind} request was refused`);
  }
});

/** Creates the listings and skills that generated requests can name. */
async function fill(app: PaidApp): Promise<Known> {
  const slugs = [AUCTION_ID, "no-such-thing"];
  const keys: string[] = [];
  for (let i = 0; i < 6; i++) {
    const { project, editKey } = await submit(app);
    const { slug } = await share(app);
    slugs.push(project.slug, slug);
    keys.push(editKey);
  }
  return { slugs, keys, pages: await pagePaths(new URL("../../../routes/", import.meta.url), "") };
}

/** Sends a request and checks everything that must hold for its response. */
async function judge(
  app: PaidApp,
  request: GeneratedRequest,
  label: string,
): Promise<{ status: number; editKey?: string }> {
  const shown = `${label}: ${Deno.inspect(request, { depth: 4, strAbbreviateSize: 400 })}`;
  const before = performance.now();
  let response: Response;
  try {
    response = await app.request(request.path, request.init);
  } catch (error) {
    throw new Error(shown, { cause: error });
  }
  const text = await response.text();
  const took = performance.now() - before;
  const { status } = response;
  assert(took < SLOWEST, `${shown} took ${took} ms`);
  const isApi = /^\/api\/(v1|stripe)\//.test(new URL(request.path, "http://x").pathname);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const isBare = request.init.method === "HEAD" || status === 204 || status === 304;
  if (isApi && status >= 400 && !isBare) {
    assert(isJson || response.headers.get("content-type")?.startsWith("image/svg+xml"), shown);
  }
  // deno-lint-ignore no-explicit-any -- any answer
  let body: any;
  if (isJson && !isBare) {
    body = JSON.parse(text);
    if (status >= 400) assertEnvelope(body, status, shown);
    else if (isApi) assertEquals(body.ok, true, shown);
  }
  if (status >= 500) assert(EXPECTED_5XX.has(body?.error?.code), `${shown} -> ${status} ${text}`);
  return { status, editKey: status === 201 ? body?.editKey : undefined };
}

// deno-lint-ignore no-explicit-any -- any answer
function assertEnvelope(body: any, status: number, label: string): void {
  assertEquals(body.ok, false, label);
  const code = body.error.code as ErrorCode;
  assert(Object.hasOwn(ERRORS, code), `${label}: ${code}`);
  assertEquals(status, ERRORS[code].status, label);
  assert(body.error.message.length > 0 && URL.canParse(body.error.help), label);
  assert(URL.canParse(body.error.docs), label);
}
