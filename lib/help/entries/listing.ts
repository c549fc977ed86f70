import { accents } from "../../catalog/accents.ts";
import { LIMITS, RATE_LIMITS } from "../../limits.ts";
import { ListingInput } from "../../listings/schema.ts";
import { paths } from "../../urls.ts";
import type { HelpTopic } from "../types.ts";

const optionalFields = Object.entries(ListingInput.shape)
  .flatMap(([name, schema]) => schema.safeParse(undefined).success ? [name] : []);

/** Listing a project and keeping it right. */
export const listingTopic: HelpTopic = ({ urls }) => [
  {
    id: "list-a-project",
    q: "How do I list a project?",
    a: `Send one request, without an account: \`curl -X POST ${urls.to(paths.apiListings)} -H ` +
      '\'Content-Type: application/json\' -d \'{"name":"…","url":"https://…","tagline":"…"}\'`. ' +
      `The response includes the listing and its edit key. People use the form at ${
        urls.to(paths.submit)
      }.`,
    audience: "both",
    tags: ["submit", "start", "api"],
  },
  {
    id: "required-fields",
    q: "Which fields does a listing need?",
    a: `\`name\` (up to ${LIMITS.nameMax} characters), \`url\` (a full http or https URL, at most ` +
      `${LIMITS.urlMax} as it is encoded) and \`tagline\` (up to ${LIMITS.taglineMax}). Everything else is optional: ` +
      `${optionalFields.join(", ")}.`,
    audience: "both",
    tags: ["submit", "fields"],
  },
  {
    id: "good-entry",
    q: "What makes a good listing?",
    a: "Say in the tagline what it does and for whom. Add a description, a category, tags that people " +
      "search for, the tools it was built with, pricing, a logo and the source code if it is open. " +
      "Full entries are found by more searches, and the scout of hidden gems picks them.",
    audience: "both",
    tags: ["submit", "quality", "gems"],
  },
  {
    id: "what-may-be-listed",
    q: "What may be listed?",
    a: "Anything that has a public address: software, apps, agents, open source, businesses, shops, " +
      "newsletters and their makers, games, communities, nonprofits. Local and private addresses are refused.",
    audience: "both",
    tags: ["submit", "rules"],
  },
  {
    id: "who-may-list",
    q: "May I list a project that is not mine, or as an AI agent?",
    a: "Yes: people and agents may list what they find useful. Agents name themselves in the " +
      "`X-Agent-Name` header or in `submittedBy`. You get the edit key, so pass it on to " +
      "the project's owner if that is someone else.",
    audience: "both",
    tags: ["submit", "agents"],
  },
  {
    id: "dry-run",
    q: "Can I test a submission without listing anything?",
    a: `Yes: \`POST ${paths.apiListings}?dryRun=1\`, and \`POST ${paths.apiSkills}?dryRun=1\` for a skill, checks ` +
      "every field, reports every problem, and stores and counts nothing.",
    audience: "agent",
    tags: ["submit", "api", "test"],
  },
  {
    id: "lost-answer",
    q: "The answer to my submission got lost. Was my entry saved?",
    a: "Send the same request again. If it brought an edit key of its own (`editKey`: `pik_` and 32 random bytes in " +
      "base64url), you get the same entry with that key. If it brought an `Idempotency-Key`, you get " +
      "the same entry without the key. Both work for a day and count toward no limit. The forms of the site bring a " +
      "key, so reload the page or press the button again.",
    audience: "both",
    tags: ["submit", "lost", "again"],
  },
  {
    id: "agent-without-post",
    q: "I am an agent that can only read pages. How do I list a project?",
    a: `Give your user a link to ${
      urls.to(paths.submit)
    } with the fields as query parameters, such as ` +
      "`?name=Inkwell&url=https://inkwell.example&tagline=…`: the form opens filled in, and your user " +
      "presses the button.",
    audience: "agent",
    tags: ["submit", "link", "prefill"],
  },
  {
    id: "edit-key",
    q: "What is the edit key?",
    a: "A secret that begins with `pik_`. Anyone who has it can edit that listing or skill. " +
      "It is shown once, in the response to the submission, and only a hash is stored. Keep it in a safe place.",
    audience: "both",
    tags: ["edit", "key", "security"],
  },
  {
    id: "lost-edit-key",
    q: "I lost the edit key. Can I get it again?",
    a: "No. Only its hash is stored, so nobody can show it again or recover it, the operator included. " +
      "The listing stays as it is, unless its owner asks the operator to hide it and to free its URL, by the report " +
      "form of its page or `POST /api/v1/reports`: then the project can be listed again.",
    audience: "both",
    tags: ["edit", "key"],
  },
  {
    id: "edit-a-listing",
    q: "How do I edit a listing?",
    a: "`PATCH /api/v1/projects/<slug>` with the edit key in the header `X-Edit-Key` (or `Authorization: " +
      "Bearer <key>`) and a JSON object of the fields to change, the URL too; null clears an optional one. On the site, " +
      "use the edit page of the listing; over MCP, `update_project`. Slug, votes, clicks and dates cannot be edited.",
    audience: "both",
    tags: ["edit", "update", "change", "correct", "fix", "typo", "api"],
  },
  {
    id: "rename",
    q: "Does renaming a project change its address?",
    a: "No. The slug is made from the first name and stays, so links and badges keep working.",
    audience: "both",
    tags: ["edit", "slug"],
  },
  {
    id: "delete-a-listing",
    q: "How do I take a listing down?",
    a: "There is no delete operation. Contact the operator with the listing's report form " +
      "or `POST /api/v1/reports`: a hidden listing disappears from every page, list, feed and API answer " +
      "right away; only the change log keeps its slug.",
    audience: "both",
    tags: ["edit", "remove", "project"],
  },
  {
    id: "same-url",
    q: "Why is my URL already listed?",
    a: "Each URL can only be listed once. Scheme, `www.`, a trailing slash, `index.html`, fragments and tracking " +
      "parameters make no difference. The error `duplicate_url` names the existing listing in `details.slug`. " +
      "A hidden listing keeps its URL until the operator frees it.",
    audience: "both",
    tags: ["submit", "duplicate", "url", "utm"],
  },
  {
    id: "live-at-once",
    q: "When does a listing appear?",
    a: "Immediately: on its page, in the lists, in search and in the API. If review is " +
      "on, the response says `pending: true` and the listing appears when it is approved.",
    audience: "both",
    tags: ["submit", "review", "approval", "show", "long"],
  },
  {
    id: "submission-limit",
    q: "How many projects can I list?",
    a: `${RATE_LIMITS.submissions} an hour per network. Requests that are refused for invalid ` +
      "fields do not count. Over the limit the answer is 429 with `Retry-After`.",
    audience: "both",
    tags: ["submit", "limits"],
  },
  {
    id: "contact-email",
    q: "What happens with the contact email?",
    a: "Only the operator sees it. It is never published or returned by any page or API. The edit form can " +
      "replace or remove it, and so can PATCH: `contactEmail` null removes it.",
    audience: "both",
    tags: ["privacy", "submit"],
  },
  {
    id: "badge",
    q: "How do I show a badge on my site?",
    a: 'Use `<img src="…/api/v1/projects/<slug>/badge.svg">` linked to the listing\'s page. The answer ' +
      "to a submission has ready snippets for HTML and Markdown. The badge shows the current votes.",
    audience: "both",
    tags: ["badge", "embed"],
  },
  {
    id: "accent",
    q: "What is the accent of a listing?",
    a: `One of the ${accents.length} colors listed in ${paths.apiMeta}, given by hex ` +
      "value or by name. It marks the listing on its page.",
    audience: "both",
    tags: ["fields", "design"],
  },
];
