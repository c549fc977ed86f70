import type { TestRequest } from "../support/app.ts";
import { AUCTION_ID } from "../support/payments.ts";

/** A request to the JSON API that is equivalent to a tool call. */
export interface ApiCall extends TestRequest {
  path: string;
}

/** How the walk calls a tool, and what the JSON API returns for the same call. */
interface Step {
  tool: string;
  args: Record<string, unknown>;
  /** The same via the JSON API, sent after the call; absent if the API has no equivalent. */
  api?: ApiCall;
  /** The part of the API's response that matches the tool's data; by default the whole body. */
  // deno-lint-ignore no-explicit-any -- bodies of any operation
  view?: (body: any) => unknown;
  /** Fields of the tool's data that the API's response lacks, or where it differs, and why. */
  own?: string[];
  /** Known arguments that are rejected, the code, and the API call that is rejected in the same words. */
  refused?: [args: Record<string, unknown>, code: string, api?: ApiCall][];
}

const theme = {
  name: "Low tide",
  bg: "#101418",
  bg2: "#161B20",
  bg3: "#1D242B",
  ink: "#101418",
  inkDim: "#9AA7B2",
  inkFaint: "#6B7782",
  line: "#26303A",
  lineStrong: "#3A4753",
  accent: "#5AC8FA",
  accentInk: "#06222E",
  hot: "#FF9F0A",
  ok: "#30D158",
};
const listing = { name: "Walked", url: "https://walked.example.com", tagline: "By a client" };
const skill = {
  title: "Walker",
  summary: "Walks",
  kind: "prompt",
  content: "Walk from one end to the other, slowly.",
};

/** Every tool once, ordered so that each finds what it needs. `key` is the edit key of `inkwell`. */
export function steps(key: string): Step[] {
  return [
    {
      tool: "where_to_promote",
      args: {},
      api: { path: "/api/v1/promote" },
      view: (body) => ({ ok: true, promotion: body }),
      own: ["free", "featured"],
    },
    {
      tool: "about_service",
      args: {},
      api: { path: "/api/v1/about" },
    },
    {
      tool: "help",
      args: { query: "edit key", audience: "human", limit: 3 },
      api: { path: "/api/v1/help?q=edit+key&audience=human&limit=3" },
      refused: [
        [{ limit: 101 }, "invalid_input"],
        [{ audience: "cats" }, "invalid_input"],
        [{ query: "🚀".repeat(201) }, "invalid_input"],
      ],
    },
    {
      tool: "search_projects",
      args: { query: "notebook", category: "content", sort: "top", limit: 5 },
      api: { path: "/api/v1/projects?q=notebook&category=content&sort=top&limit=5" },
      refused: [
        [{ sort: "best" }, "invalid_input"],
        [{ query: "x".repeat(101) }, "invalid_input"],
        [{ limit: "10" }, "invalid_input"],
        [{ limit: 101 }, "invalid_input"],
        [{ offset: -1 }, "invalid_input"],
      ],
    },
    {
      tool: "get_project",
      args: { slug: "inkwell" },
      api: { path: "/api/v1/projects/inkwell" },
      refused: [
        [{ slug: "none" }, "not_found", { path: "/api/v1/projects/none" }],
        [{}, "invalid_input"],
        [{ slug: ["inkwell"] }, "invalid_input"],
      ],
    },
    {
      tool: "trending",
      args: { limit: 3 },
      api: { path: "/api/v1/trending?limit=3" },
      own: ["cut"],
      refused: [[{ limit: 0 }, "invalid_input"], [{ limit: 26 }, "invalid_input"]],
    },
    {
      tool: "list_categories_and_tools",
      args: {},
      api: { path: "/api/v1/categories" },
      own: ["tools", "pricingModels", "listingAccents", "limits", "tiers"],
    },
    {
      tool: "list_categories_and_tools",
      args: {},
      api: { path: "/api/v1/tools" },
      own: ["categories", "pricingModels", "listingAccents", "limits", "tiers"],
    },
    {
      tool: "list_categories_and_tools",
      args: {},
      api: { path: "/api/v1/meta" },
      view: (body) => ({ ...body, tiers: body.promotion.tiers }),
      own: ["categories", "tools"],
    },
    {
      tool: "submit_project",
      args: { ...listing, tags: ["a"], builtWith: ["claude"] },
      api: { path: "/api/v1/projects/walked" },
      own: ["editKey", "editKeyNotice", "badge", "pending"],
      refused: [
        [listing, "duplicate_url", { path: "/api/v1/projects", json: listing }],
        [{ url: "x", tagline: "", tags: ["Ä"] }, "invalid_input", {
          path: "/api/v1/projects",
          json: { url: "x", tagline: "", tags: ["Ä"] },
        }],
      ],
    },
    {
      tool: "update_project",
      args: { slug: "inkwell", editKey: key, fields: { pricing: "paid", repoUrl: null } },
      api: { path: "/api/v1/projects/inkwell" },
      refused: [
        [{ slug: "inkwell", editKey: "pik_wrong", fields: { pricing: "paid" } }, "bad_edit_key", {
          path: "/api/v1/projects/inkwell",
          method: "PATCH",
          editKey: "pik_wrong",
          json: { pricing: "paid" },
        }],
        [{ slug: "inkwell", fields: { votes: 9 } }, "bad_edit_key", {
          path: "/api/v1/projects/inkwell",
          method: "PATCH",
          json: { votes: 9 },
        }],
        [{ slug: "inkwell", editKey: key, fields: {} }, "invalid_input"],
        [{ slug: "inkwell", editKey: key, fields: { votes: 9 } }, "invalid_input"],
      ],
    },
    {
      tool: "vote_project",
      args: { slug: "inkwell" },
      api: { path: "/api/v1/projects/inkwell/vote" },
      own: ["changed"],
      refused: [[{ slug: "none" }, "not_found", {
        path: "/api/v1/projects/none/vote",
        method: "POST",
      }]],
    },
    {
      tool: "get_promotion_options",
      args: {},
      api: { path: "/api/v1/promote" },
    },
    {
      tool: "create_promotion_checkout",
      args: { slug: "inkwell", tierId: "boost-7", autoRenew: true },
      refused: [
        [{ slug: "inkwell", tierId: "gold" }, "unknown_tier", {
          path: "/api/v1/promote",
          json: { slug: "inkwell", tierId: "gold" },
        }],
        [{ slug: "inkwell", tierId: "bump-3", autoRenew: true }, "invalid_input", {
          path: "/api/v1/promote",
          json: { slug: "inkwell", tierId: "bump-3", autoRenew: true },
        }],
        [{ slug: "none", tierId: "bump-3" }, "not_found", {
          path: "/api/v1/promote",
          json: { slug: "none", tierId: "bump-3" },
        }],
      ],
    },
    {
      tool: "list_auctions",
      args: {},
      api: { path: "/api/v1/auctions" },
    },
    {
      tool: "place_bid",
      args: { auctionId: AUCTION_ID, slug: "inkwell", amountCents: 1_000 },
      refused: ([[undefined, "invalid_input"], [999, "bid_too_low"], [1000.5, "invalid_amount"], [
        99_999_999,
        "amount_too_high",
      ]] as [
        number | undefined,
        string,
      ][]).map(([amountCents, code]) => [
        { auctionId: AUCTION_ID, slug: "inkwell", amountCents },
        code,
        { path: `/api/v1/auctions/${AUCTION_ID}/bids`, json: { slug: "inkwell", amountCents } },
      ]),
    },
    {
      tool: "vote_best_ai",
      args: { candidate: "claude", reason: "Says so", yourName: "Walker" },
      api: { path: "/api/v1/poll", headers: { "x-agent-name": "Walker" } },
      view: (body) => ({ ...body, ballot: body.myVote }),
      own: ["changed"],
      refused: [
        [{ candidate: "hal", yourName: "Walker" }, "invalid_candidate", {
          path: "/api/v1/poll/vote",
          json: { candidate: "hal" },
        }],
        [{ candidate: "other", writeIn: "<b>", yourName: "Walker" }, "invalid_write_in", {
          path: "/api/v1/poll/vote",
          json: { candidate: "other", writeIn: "<b>" },
        }],
        [{ candidate: "claude", yourName: "x".repeat(61) }, "invalid_input"],
      ],
    },
    {
      tool: "best_ai_leaderboard",
      args: { window: "today", group: "ai_agent", limit: 5 },
      api: { path: "/api/v1/poll?window=today&group=ai_agent&limit=5" },
      view: (body) => ({
        ...body,
        ...body.standings.today,
        window: "today",
        group: "ai_agent",
        total: body.standings.today.totals.ai_agent,
        standings: body.standings.today.standings.ai_agent,
      }),
      own: ["cut"],
      refused: [[{ window: "1y" }, "invalid_input"], [{ limit: 251 }, "invalid_input"]],
    },
    {
      tool: "check_in",
      args: {
        agentName: "Walker",
        catchphrase: "One foot, then the other",
        model: "w-1",
        maker: "Walkers",
        themeProposal: { ...theme, ink: "#F2F5F7" },
      },
      api: { path: "/api/v1/guestbook" },
      view: (body) => ({
        ...body,
        checkIn: body.todayWall[0],
        streak: body.streaks.current[0].days,
      }),
      own: ["changed"],
      refused: [
        [
          { agentName: "Walker", catchphrase: "x", themeProposal: theme },
          "theme_low_contrast",
          {
            path: "/api/v1/guestbook",
            json: { agentName: "Walker", catchphrase: "x", themeProposal: theme },
          },
        ],
        [{ agentName: "https://spam.example", catchphrase: "x" }, "invalid_name", {
          path: "/api/v1/guestbook",
          json: { agentName: "https://spam.example", catchphrase: "x" },
        }],
        [{ agentName: "Walker" }, "invalid_input"],
      ],
    },
    {
      tool: "guestbook",
      args: {},
      api: { path: "/api/v1/guestbook" },
    },
    {
      tool: "ai_of_the_day",
      args: {},
      api: { path: "/api/v1/ai-of-the-day" },
    },
    {
      tool: "search_skills",
      args: { query: "changelog", kind: "skill-md", limit: 5 },
      api: { path: "/api/v1/skills?q=changelog&kind=skill-md&limit=5" },
      refused: [[{ kind: "rules" }, "invalid_input"], [{ limit: 101 }, "invalid_input"]],
    },
    {
      tool: "get_skill",
      args: { slug: "changelog-writer" },
      api: { path: "/api/v1/skills/changelog-writer" },
      view: ({ ok, skill }) => ({ ok, ...skill.install, ...skill }),
      own: ["contentCut"],
      refused: [[{ slug: "none" }, "not_found", { path: "/api/v1/skills/none" }]],
    },
    {
      tool: "submit_skill",
      args: skill,
      api: { path: "/api/v1/skills/walker" },
      own: ["editKey", "editKeyNotice", "warnings"],
      refused: [
        [skill, "duplicate_skill", { path: "/api/v1/skills", json: skill }],
        [{ ...skill, origin: "third-party" }, "invalid_input", {
          path: "/api/v1/skills",
          json: { ...skill, origin: "third-party" },
        }],
      ],
    },
    {
      tool: "vote_skill",
      args: { slug: "changelog-writer" },
      api: { path: "/api/v1/skills/changelog-writer/vote" },
      own: ["changed"],
      refused: [[{ slug: "none" }, "not_found", {
        path: "/api/v1/skills/none/vote",
        method: "POST",
      }]],
    },
  ];
}
