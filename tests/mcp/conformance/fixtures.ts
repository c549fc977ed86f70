import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type GetPromptResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { delay } from "@/lib/clock.ts";
import type { McpSurface } from "@/lib/mcp/endpoint.ts";

/** One red pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

/** A WAV file without samples. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/** How long the suite waits between two messages of a stream. */
const PAUSE_MS = 10;

const state = createRequestStateCodec<{ round: number }>({ key: crypto.randomUUID() });

type Result = CallToolResult | InputRequiredResult;
type Args = Record<string, unknown>;
interface Fixture {
  schema?: Tool["inputSchema"];
  call(context: ServerContext, args: Args): Result | Promise<Result>;
}

const text = (value: string) => ({ type: "text" as const, text: value });
const says = (value: string): CallToolResult => ({ content: [text(value)] });
const image = { type: "image" as const, data: PNG, mimeType: "image/png" };
const pause = () => delay(PAUSE_MS);
const resource = (uri: string, mimeType: string, content: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: content },
});

const named = z.object({ name: z.string() });
const confirmed = z.object({ ok: z.boolean() });
const askName = inputRequired.elicit({ message: "What is your name?", requestedSchema: named });
const askOk = inputRequired.elicit({ message: "Please confirm", requestedSchema: confirmed });
const askCapital = inputRequired.createMessage({
  messages: [{ role: "user", content: text("What is the capital of France?") }],
  maxTokens: 100,
});

/** Asks for a confirmation with a state that only this server can have created. */
async function confirmWithState({ mcpReq }: ServerContext): Promise<Result> {
  if (acceptedContent(mcpReq.inputResponses, "confirm", confirmed) && mcpReq.requestState()) {
    return says("state-ok");
  }
  return inputRequired({
    inputRequests: { confirm: askOk },
    requestState: await state.mint({ round: 1 }),
  });
}

async function logThreeTimes({ mcpReq }: ServerContext): Promise<Result> {
  for (const message of ["started", "working", "completed"]) {
    await mcpReq.log("info", message);
    await pause();
  }
  return says("Logged");
}

/** The tools that the suite calls by name; each does what the suite's description of it says. */
const TOOLS: Record<string, Fixture> = {
  test_simple_text: { call: () => says("This is a simple text response for testing.") },
  test_image_content: { call: () => ({ content: [image] }) },
  test_audio_content: {
    call: () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }),
  },
  test_embedded_resource: {
    call: () => ({ content: [resource("test://embedded-resource", "text/plain", "Embedded.")] }),
  },
  test_multiple_content_types: {
    call: () => ({
      content: [
        text("Multiple content types test:"),
        image,
        resource("test://mixed-content-resource", "application/json", '{"test":"data"}'),
      ],
    }),
  },
  test_error_handling: {
    call: () => ({ ...says("This tool intentionally returns an error"), isError: true }),
  },
  test_tool_with_logging: { call: logThreeTimes },
  test_logging_tool: { call: logThreeTimes },
  test_tool_with_progress: {
    async call({ mcpReq }) {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress, total: 100 };
          await mcpReq.notify({ method: "notifications/progress", params });
        }
        await pause();
      }
      return says("Done");
    },
  },
  test_missing_capability: {
    call({ mcpReq }) {
      if (!capabilitiesOf(mcpReq).sampling) {
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
      }
      return says("The client can sample");
    },
  },
  test_streaming_elicitation: {
    async call({ mcpReq }) {
      await mcpReq.log("info", "asking");
      return inputRequired({ inputRequests: { user_name: askName } });
    },
  },
  test_input_required_result_elicitation: {
    call({ mcpReq }) {
      const answer = acceptedContent(mcpReq.inputResponses, "user_name", named);
      if (answer === undefined) return inputRequired({ inputRequests: { user_name: askName } });
      return says(`Hello, ${answer.name}!`);
    },
  },
  test_input_required_result_sampling: {
    call({ mcpReq }) {
      const answer = inputResponse(mcpReq.inputResponses, "capital_question");
      if (answer.kind === "sampling") return says(JSON.stringify(answer.result.content));
      return inputRequired({ inputRequests: { capital_question: askCapital } });
    },
  },
  test_input_required_result_list_roots: {
    call({ mcpReq }) {
      const answer = inputResponse(mcpReq.inputResponses, "client_roots");
      if (answer.kind === "roots") return says(answer.roots.map(({ uri }) => uri).join("\n"));
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  },
  test_input_required_result_request_state: { call: confirmWithState },
  test_input_required_result_tampered_state: { call: confirmWithState },
  test_input_required_result_multiple_inputs: {
    async call({ mcpReq: { inputResponses } }) {
      const kinds = ["user_name", "greeting", "client_roots"]
        .map((key) => inputResponse(inputResponses, key).kind);
      if (!kinds.includes("missing")) return says(kinds.join(" "));
      return inputRequired({
        inputRequests: {
          user_name: askName,
          greeting: askCapital,
          client_roots: inputRequired.listRoots(),
        },
        requestState: await state.mint({ round: 1 }),
      });
    },
  },
  test_input_required_result_multi_round: {
    async call({ mcpReq }) {
      const round = mcpReq.requestState<{ round: number }>()?.round ?? 0;
      if (round === 2) return says("Both steps done");
      return inputRequired({
        inputRequests: { [`step${round + 1}`]: askName },
        requestState: await state.mint({ round: round + 1 }),
      });
    },
  },
  test_input_required_result_capabilities: {
    call({ mcpReq }) {
      const { sampling, elicitation } = capabilitiesOf(mcpReq);
      return inputRequired({
        inputRequests: {
          ...(sampling ? { capital_question: askCapital } : {}),
          ...(elicitation ? { user_name: askName } : {}),
        },
      });
    },
  },
  json_schema_2020_12_tool: {
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    },
    call: () => says("Done"),
  },
};

function capabilitiesOf(mcpReq: ServerContext["mcpReq"]): ClientCapabilities {
  const envelope = mcpReq.envelope as Record<string, ClientCapabilities> | undefined;
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

/** The prompts that the suite gets by name. */
const PROMPTS: Record<string, {
  args?: string[];
  get(context: ServerContext, args: Record<string, string>): GetPromptResult | InputRequiredResult;
}> = {
  test_simple_prompt: { get: () => user(text("This is a simple prompt for testing.")) },
  test_prompt_with_arguments: {
    args: ["arg1", "arg2"],
    get: (_, { arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    args: ["resourceUri"],
    get: (_, { resourceUri }) =>
      user(resource(resourceUri!, "text/plain", "Embedded."), text("Please process it.")),
  },
  test_prompt_with_image: { get: () => user(image, text("Please analyze the image above.")) },
  test_input_required_result_prompt: {
    get({ mcpReq }) {
      const answer = acceptedContent(mcpReq.inputResponses, "user_context");
      if (answer !== undefined) return user(text(`In the context of ${answer.context}`));
      const requestedSchema = z.object({ context: z.string() });
      const user_context = inputRequired.elicit({ message: "Which context?", requestedSchema });
      return inputRequired({ inputRequests: { user_context } });
    },
  },
};

function user(
  ...contents: GetPromptResult["messages"][number]["content"][]
): GetPromptResult {
  return { messages: contents.map((content) => ({ role: "user" as const, content })) };
}

/** What the suite reads by URI. */
function contentOf(uri: string) {
  if (uri === "test://static-text") return { mimeType: "text/plain", text: "Static text." };
  if (uri === "test://static-binary") return { mimeType: "image/png", blob: PNG };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) throw new ResourceNotFoundError(uri);
  return { mimeType: "application/json", text: JSON.stringify({ id, templateTest: true }) };
}

/**
 * What the conformance suite's example server returns, for our protocol handler: the suite can then
 * test the handler where the site itself has no such feature.
 */
export const FIXTURES: McpSurface = {
  info: { name: "fixtures", version: "1.0.0" },
  options: {
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
    requestState: { verify: state.verify },
  },
  tools: Object.entries(TOOLS).map(([name, { schema }]) => ({
    name,
    description: name,
    inputSchema: schema ?? { type: "object" },
  })),
  callTool({ name, arguments: args }, context) {
    const tool = TOOLS[name];
    if (tool === undefined) throw invalid(`Unknown tool: ${name}`);
    return tool.call(context, args ?? {});
  },
  resources: [
    { uri: "test://static-text", name: "text", mimeType: "text/plain" },
    { uri: "test://static-binary", name: "binary", mimeType: "image/png" },
  ],
  templates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  readResource: (uri) => ({ contents: [{ uri, ...contentOf(uri) }] }),
  prompts: Object.entries(PROMPTS).map(([name, { args }]) => ({
    name,
    description: name,
    arguments: args?.map((arg) => ({ name: arg, description: arg, required: true })),
  })),
  getPrompt({ name, arguments: args }, context) {
    const prompt = PROMPTS[name];
    if (prompt === undefined) throw invalid(`Unknown prompt: ${name}`);
    return prompt.get(context, args ?? {});
  },
  complete: () => ({ completion: { values: ["paris", "park"], total: 2, hasMore: false } }),
};

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
