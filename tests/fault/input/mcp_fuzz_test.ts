import { assert } from "@std/assert";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { type ErrorCode, ERRORS } from "@/lib/errors.ts";
import { schemaValidator } from "../../support/json_schema.ts";
import { submit } from "../../support/listings.ts";
import { META, post, rpc, type RpcAnswer } from "../../support/mcp.ts";
import { AUCTION_ID, type PaidApp, paidApp } from "../../support/payments.ts";
import { rounds, runSeed, seededRandom } from "../../support/runs.ts";
import { share } from "../../support/skills.ts";
import {
  type JsonSchema,
  pick,
  type Random,
  randomJson,
  valueOf,
  wholeNumber,
} from "../from_schema.ts";
import { AWKWARD_BODIES, AWKWARD_STRINGS, hostileStrings } from "../hostile.ts";

const SLOWEST = 2000;
const INTERNAL_ERROR = -32603;
const FAULTS = new Set<ErrorCode>(["internal_error", "storage_unavailable"]);
const HOSTILE = [...Object.values(hostileStrings("zq8")).flat(), ...AWKWARD_STRINGS];

interface ToolShape {
  name: string;
  inputSchema: JsonSchema;
  validate: ValidateFunction;
}

Deno.test("generated MCP messages get no server error, slow response or invalid result (invariant 31)", async () => {
  const random = seededRandom(runSeed("mcp fuzz"));
  await using app = await paidApp();
  const slugs = await fill(app);
  const tools = await toolShapes(app);
  const accepted = new Set<string>();
  const refused = new Set<string>();
  const total = rounds(400, 20_000);
  for (let i = 0; i < total; i++) {
    const message = random() < 0.8
      ? toolCall(pick(random, tools), slugs, random)
      : otherMessage(slugs, random);
    const shown = `message ${i}: ${Deno.inspect(message, { depth: 8, strAbbreviateSize: 300 })}`;
    const before = performance.now();
    const answer = await send(app, message, random);
    const took = performance.now() - before;
    assert(took < SLOWEST, `${shown} took ${took} ms`);
    const label = `${shown} -> ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 2000)}`;
    assert(answer.status < 500, label);
    assert(answer.body?.error?.code !== INTERNAL_ERROR, label);
    const { result } = answer.body ?? {};
    if (message.tool !== null && result !== undefined) {
      judgeResult(message.tool, result, label);
      (result.isError ? refused : accepted).add(message.tool.name);
    }
    app.clock.advance(wholeNumber(random, 0, 5000));
  }
  assert(accepted.size > tools.length / 2, `accepted: ${[...accepted].sort()}`);
  assert(refused.size > tools.length / 2, `refused: ${[...refused].sort()}`);
});

async function fill(app: PaidApp): Promise<string[]> {
  const slugs = [AUCTION_ID, "no-such-thing"];
  for (let i = 0; i < 4; i++) {
    slugs.push((await submit(app)).project.slug, (await share(app)).slug);
  }
  return slugs;
}

async function toolShapes(app: PaidApp): Promise<ToolShape[]> {
  const ajv = schemaValidator();
  const { tools } = (await rpc(app, "tools/list")).body.result;
  return tools.map(
    ({ name, inputSchema, outputSchema }: Record<string, unknown>) => ({
      name,
      inputSchema,
      validate: ajv.compile(outputSchema as object),
    }),
  );
}

/** A message and the tool it calls, if any; text is sent as is. */
interface Message {
  tool: ToolShape | null;
  method: string;
  params: Record<string, unknown>;
  text?: string;
}

function toolCall(tool: ToolShape, slugs: readonly string[], random: Random): Message {
  const message = (args: unknown): Message => ({
    tool,
    method: "tools/call",
    params: { name: tool.name, arguments: args },
  });
  const dice = random();
  if (dice < 0.1) return message(randomJson(random));
  const args = valueOf(tool.inputSchema, tool.inputSchema, random) as Record<string, unknown>;
  for (const field of ["slug", "auctionId"]) {
    if (field in args && random() < 0.8) args[field] = pick(random, slugs);
  }
  if (dice < 0.4) return message(args);
  const fields = [...Object.keys(tool.inputSchema.properties ?? {}), "x", "__proto__"];
  for (let n = wholeNumber(random, 1, 2); n > 0; n--) {
    const value = random() < 0.6 ? pick(random, HOSTILE) : randomJson(random);
    Object.defineProperty(args, pick(random, fields), { value, enumerable: true, writable: true });
  }
  return message(args);
}

function otherMessage(slugs: readonly string[], random: Random): Message {
  const text = () => pick(random, random() < 0.5 ? HOSTILE : slugs);
  const make = (method: string, params: Record<string, unknown>): Message => ({
    tool: null,
    method,
    params,
  });
  switch (wholeNumber(random, 0, 6)) {
    case 0:
      return make("resources/read", {
        uri: pick(random, [
          `directory://${text()}`,
          `directory://project/${text()}`,
          `directory://skill/${encodeURIComponent(text().toWellFormed())}`,
          text(),
        ]),
      });
    case 1:
      return make("prompts/get", {
        name: pick(random, ["find_a_tool_for", "compare_projects", "sign_the_guestbook", text()]),
        arguments: { [pick(random, ["need", "first", "second", "name", "x"])]: text() },
      });
    case 2:
      return make("completion/complete", {
        ref: pick(random, [
          { type: "ref/resource", uri: "directory://project/{slug}" },
          { type: "ref/prompt", name: "compare_projects" },
          { type: "ref/prompt", name: text() },
        ]),
        argument: { name: pick(random, ["slug", "first", text()]), value: text() },
      });
    case 3:
      return make("tools/call", { name: text(), arguments: {} });
    case 4:
      return make(pick(random, ["tools/list", "ping", "server/discover", text()]), {});
    case 5:
      return { ...make("", {}), text: pick(random, AWKWARD_BODIES) };
    default:
      return { ...make("", {}), text: JSON.stringify(randomJson(random)) };
  }
}

/** Sends a message like a client of either revision, from one of many networks. */
async function send(app: PaidApp, message: Message, random: Random): Promise<RpcAnswer> {
  const n = wholeNumber(random, 0, 3000);
  const who = { address: `198.18.${n >> 8}.${n & 255}`, userAgent: `agent/${n % 5}` };
  if (message.text !== undefined) return await post(app, message.text, who);
  const { method, params } = message;
  // The current revision's headers repeat the name, and allow only Latin-1.
  if (random() < 0.5 || /[^ -~]/.test(`${method}${params.name ?? ""}${params.uri ?? ""}`)) {
    return await rpc(app, method, params, { ...who, revision: "2025-11-25" });
  }
  if (random() < 0.05) {
    return await post(
      app,
      { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } },
      who,
    );
  }
  return await rpc(app, method, params, who);
}

// deno-lint-ignore no-explicit-any -- results of any tool
function judgeResult(tool: ToolShape, result: any, label: string): void {
  if (result.isError) {
    const envelope = JSON.parse(result.content[0].text);
    assert(envelope.ok === false && Object.hasOwn(ERRORS, envelope.error.code), label);
    assert(!FAULTS.has(envelope.error.code), label);
    return;
  }
  assert(result.content[0].text.length > 0, label);
  const fits = tool.validate(result.structuredContent);
  assert(fits, `${JSON.stringify(tool.validate.errors)} ${label}`);
}
