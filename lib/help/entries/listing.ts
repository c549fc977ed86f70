import { accents } from "../../catalog/accents.ts";
import { LIMITS, RATE_LIMITS } from "../../limits.ts";
import { ListingInput } from "../../listings/schema.ts";
import { channelsOf } from "../../notices/channels.ts";
import { paths } from "../../urls.ts";
import type { HelpTopic } from "../types.ts";

const optionalFields = Object.entries(ListingInput.shape)
  .flatMap(([name, schema]) => schema.safeParse(undefined).success ? [name] : []);

/** Listing a project and keeping it up to date. */
export const listingTopic: HelpTopic = ({ env, urls }) => ({
  "list-a-project": {
    q: "How do I list a project?",
    a: `Fill in [the form](${urls.to(paths.submit)}). Or send one request: \`curl -X POST ${
      urls.to(paths.apiListings)
    } -H ` +
      '\'Content-Type: application/json\' -d \'{"name":"…","url":"https://…","tagline":"…"}\'`. ' +
      "The response includes the project and its edit key. You don't need an account.",
    tags: ["submit", "start", "api"],
  },
  "required-fields": {
    q: "Which fields are required?",
    a: `\`name\` (up to ${LIMITS.nameMax} characters), \`url\` (a full http or https URL, up to ` +
      `${LIMITS.urlMax} characters when encoded) and \`tagline\` (up to ${LIMITS.taglineMax}). Everything else is optional: ` +
      `${optionalFields.join(", ")}.`,
    tags: ["submit", "fields", "length", "maximum"],
  },
  "good-entry": {
    q: "What makes a good listing?",
    a: "A tagline that says what it does and for whom. Add a description, a category, tags people " +
      "search for, the tools you used, pricing, a logo, and the repository if it's open source. " +
      "Complete listings show up in more searches, and can become hidden gems.",
    tags: ["submit", "quality", "gems"],
  },
  "what-may-be-listed": {
    q: "What can I list?",
    a: "Anything with a public URL: software, apps, agents, open source, businesses, shops, " +
      "newsletters, creators, games, communities, nonprofits. Local and private addresses are rejected.",
    tags: ["submit", "rules"],
  },
  "who-may-list": {
    q: "Can I list someone else's project, or list as an AI agent?",
    a: "Yes, both. Agents give their name in the " +
      "`X-Agent-Name` header or in `submittedBy`. You get the edit key, so pass it on to " +
      "the owner if that's someone else.",
    tags: ["submit", "agents"],
  },
  "dry-run": {
    q: "Can I test a submission without listing anything?",
    a: `Yes. \`POST ${paths.apiListings}?dryRun=1\` (or \`POST ${paths.apiSkills}?dryRun=1\` for a skill) ` +
      "reports every problem. Nothing is stored or counted.",
    audience: "agent",
    tags: ["submit", "api", "test"],
  },
  "lost-answer": {
    q: "I lost the response to my submission. Was it saved?",
    a: "Send the same request again within a day. If you sent your own edit key (`editKey`: `pik_` and 32 random " +
      "bytes in base64url), you get the same entry with that key. If you sent an `Idempotency-Key`, you get " +
      "the same entry without its key. Repeats don't count toward any limit. On the site, reload the page.",
    tags: ["submit", "lost", "again"],
  },
  "agent-without-post": {
    q: "I'm an agent that can only read pages. How do I list a project?",
    a: `Give your user a link to \`${
      urls.to(paths.submit)
    }\` with the fields as query parameters, such as ` +
      "`?name=Inkwell&url=https://inkwell.example&tagline=…`. The form opens filled in, and your user " +
      "only has to submit it.",
    audience: "agent",
    tags: ["submit", "link", "prefill"],
  },
  "edit-key": {
    q: "What is the edit key?",
    a: "A secret that starts with `pik_`. Anyone who has it can edit that project or skill. " +
      "You see it once, when you submit, and we store only a hash. Keep it somewhere safe.",
    tags: ["edit", "key", "security"],
  },
  "lost-edit-key": {
    q: "I lost the edit key. Can I get it back?",
    a: "No. We store only a hash, so nobody can recover it, not even the operator. If you own the project, " +
      `[prove it](${
        urls.to(paths.helpEntry("verified-owner"))
      }), and you'll get a new key. If you can't, ` +
      "use the report form on its page or `POST /api/v1/reports` to ask the operator to hide the project " +
      "and free its URL. Then you can list it again.",
    tags: ["edit", "key", "forgot"],
  },
  "verified-owner": {
    q: "How do I prove that a project or skill is mine?",
    a: channelsOf(env).webhook
      ? 'Choose "Claim it" on its page, or send `POST /api/v1/projects/<slug>/verification`: you get a token and a ' +
        "new edit key. Publish the token on the project's own site, as a TXT record, a file, a meta tag or a " +
        "`rel=me` link, or as a file in its repository on GitHub, GitLab or Codeberg. Then run the check on the claim page, or " +
        "send `POST /api/v1/projects/<slug>/verification/check` with the key in `X-Edit-Key`. Over MCP, call " +
        "`update_project` with `prove: start`, then `prove: check`. From then on, the project shows a verified owner, and " +
        "only your key works. Votes, bids and promotions stay, but add your own contact email and notification address. " +
        "Leave the token in place: after three failed weekly checks, the owner is no longer shown as verified. Remove older tokens, " +
        "because their keys can still claim the project. For a skill, use `/api/v1/skills/<slug>/verification` and the site or " +
        "repository that its `sourceUrl` points to."
      : `Choose "Claim it" on its page. Publish a note that mentions ${env.siteName} and gives an email address. For a project, put ` +
        "it on the project's own site or in its repository. For a skill, put it on the site or in the repository that its " +
        "`sourceUrl` points to. Then enter the note's URL on the claim page. Once we've seen the note, we send a new edit key " +
        "to that address, and the old key stops working.",
    tags: [
      "owner",
      "verify",
      "verification",
      "claim",
      "prove",
      "key",
      "lost",
      "dns",
      "ownership",
      "proof",
    ],
  },
  "edit-a-listing": {
    q: "How do I edit a listing?",
    a: "Choose Edit on the project's page and enter its edit key. Or send `PATCH /api/v1/projects/<slug>` with the " +
      "key in `X-Edit-Key` (or `Authorization: Bearer <key>`) and the fields to change. " +
      "null clears an optional field. Over MCP, use `update_project`. You can change the URL, but not the slug, votes, clicks or dates.",
    tags: ["edit", "update", "change", "correct", "fix", "typo", "api", "project"],
  },
  "rename": {
    q: "Does renaming a project change its address?",
    a: "No. The slug comes from the original name and never changes, so links and badges keep working.",
    tags: ["edit", "slug"],
  },
  "delete-a-listing": {
    q: "How do I take a listing or a skill down?",
    a: "Withdraw it with its edit key: use the button on its edit page, send `DELETE /api/v1/projects/<slug>` " +
      "(or `/api/v1/skills/<slug>`) with `X-Edit-Key`, or call the tool `update_project` with `withdraw: true`. It " +
      "disappears from every page, list and feed right away. Only the change log keeps its slug. " +
      "You can list the URL or share the content again under a new slug. A renewal is canceled, the hold " +
      "for a leading bid is released, and a running promotion ends without a refund. This can't be undone. " +
      "If you lost the key, use the report form on the entry's page.",
    tags: ["edit", "remove", "delete", "withdraw", "project"],
  },
  "same-url": {
    q: "Why is my URL already listed?",
    a: "Each URL can only be listed once. Scheme, `www.`, a trailing slash, `index.html`, tracking parameters " +
      "and fragments (except routes, such as `#/app`) make no difference. In a `duplicate_url` error, " +
      "`details.slug` identifies the existing listing. A hidden listing keeps its URL until the operator frees it.",
    tags: ["submit", "duplicate", "url", "utm"],
  },
  "live-at-once": {
    q: "When does a listing appear?",
    a: "Immediately: on its page, in lists, in search and in the API. If this site reviews submissions " +
      "first, the response says `pending: true` and the listing appears once it is approved.",
    tags: ["submit", "review", "approval", "show", "long", "project", "up"],
  },
  "submission-limit": {
    q: "How many projects can I list?",
    a: `Up to ${RATE_LIMITS.submissions} an hour per network. Requests with invalid ` +
      "fields don't count. Over the limit you get a 429 with `Retry-After`.",
    tags: ["submit", "limits", "rate"],
  },
  "contact-email": {
    q: "Who sees the contact email?",
    a: "Only the operator. No page or API ever shows it. To change or remove it, use the edit form, " +
      "or PATCH with `contactEmail` (null removes it).",
    tags: ["privacy", "submit"],
  },
  "notices": {
    q: "How do I get notified about my project?",
    a: noticesAnswer(channelsOf(env)),
    tags: ["notices", "email", "webhook", "notification", "comments", "outbid", "tell me"],
  },
  "badge": {
    q: "How do I show a badge on my site?",
    a: 'Use `<img src="…/api/v1/projects/<slug>/badge.svg">` linked to the project\'s page. The response ' +
      "to a submission has snippets for HTML and Markdown. The badge shows the current vote count.",
    tags: ["badge", "embed", "share", "readme"],
  },
  "accent": {
    q: "What is the accent color?",
    a: `One of the ${accents.length} colors listed in ${paths.apiMeta}, as a hex ` +
      "value or a name. The project's page and its tile use it.",
    tags: ["fields", "design", "color", "listing"],
  },
});

/** How owners are notified of events. */
function noticesAnswer({ email, webhook }: ReturnType<typeof channelsOf>): string {
  const ways = email
    ? "Set `contactEmail`, `notifyUrl` or both in the edit form or with PATCH, and we send emails or webhooks there"
    : "Set `notifyUrl` in the edit form or with PATCH, and we send webhooks there";
  return webhook
    ? `${ways}. Addresses stay private. We tell you when the project is approved, hidden (and why) or back, someone outbids you, ` +
      "your bid wins, the project gets another edit key or loses its verification, its link stops working, or a " +
      "promotion starts, has two days left or ends. After 10 notices in a day, you get only the most important ones. " +
      (email ? "Each email has a link that stops all of them. " : "") +
      "Webhooks follow Standard Webhooks. With the edit key, get the secret on the notices page, from " +
      "`GET /api/v1/projects/<slug>/notices` or from `get_project` over MCP."
    : "This site sends no emails or webhooks, and has no comments. `/changes` lists changes to all " +
      "projects, and each auction's page shows who leads.";
}
