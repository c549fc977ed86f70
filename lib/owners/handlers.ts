/** The handlers for claiming or withdrawing an entry. */
import { page } from "fresh";
import { EDIT_KEY_NOTICE, ownerRequest } from "../entries/edit_key.ts";
import type { EntryKind, StoredEntry } from "../entries/entries.ts";
import { type KeyPageData, keyPageHandlers } from "../entries/key_page.ts";
import { entryKey } from "../entries/keys.ts";
import type { PublicVerified } from "../entries/verified.ts";
import { DomainError } from "../errors.ts";
import { ignoreBody, readForm, readJsonIfAny } from "../http/body.ts";
import { editKeyOf, type FormState, NO_STORE, submitForm } from "../http/forms.ts";
import { parseInput } from "../http/input.ts";
import { json } from "../http/respond.ts";
import type { Asked } from "../http/state.ts";
import { getListing, nameOfEditable } from "../listings/service.ts";
import { getSkill } from "../skills/service.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";
import { ClaimInput } from "./openapi.ts";
import type { FruitlessPlace } from "./places.ts";
import { type Claim, proveOwnership, startClaim } from "./verification.ts";
import { withdrawEntry } from "./withdrawal.ts";

/** A live entry's name, and its body once it has a proof. Throws `not_found`. */
export async function readEntry(deps: Deps, kind: EntryKind, slug: string) {
  if (kind === "listing") {
    const project = await getListing(deps, slug);
    const proven = (verified: PublicVerified) => ({ project: { ...project, verified } });
    return { name: project.name, proven };
  }
  const skill = await getSkill(deps, slug);
  const proven = (verified: PublicVerified) => ({ skill: { ...skill, verified } });
  return { name: skill.title, proven };
}

/** The API handlers that begin a claim. */
export function startHandlers(kind: EntryKind) {
  const entry = kind === "listing" ? paths.apiListing : paths.apiSkill;
  return {
    async POST(ctx: Asked<Deps>) {
      const { deps } = ctx.state;
      const slug = ctx.params.slug!;
      const { editKey: own } = parseInput(ClaimInput, await readJsonIfAny(ctx.req));
      const { editKey, token, places } = await startClaim(deps, { kind, slug, editKey: own });
      return json({
        ok: true,
        slug,
        token,
        editKey,
        editKeyNotice: EDIT_KEY_NOTICE,
        places,
        checkUrl: deps.urls.to(paths.apiClaimCheck(entry(slug))),
      });
    },
  };
}

/** The API handlers that check a claim. */
export function checkHandlers(kind: EntryKind) {
  return {
    async POST(ctx: Asked<Deps>) {
      const { deps } = ctx.state;
      const own = ownerRequest(ctx);
      await ignoreBody(ctx.req);
      // Read first: once the proof is stored, no read may fail.
      const { proven } = await readEntry(deps, kind, own.slug);
      return json({ ok: true, ...proven(await proveOwnership(deps, { kind, ...own })) });
    },
  };
}

/** The data of the page for claiming an entry. */
export interface ClaimPageData extends Pick<FormState, "problems"> {
  name: string;
  /** A claim just begun. */
  claim?: Claim;
  /** What a check found instead of the token. */
  unproven?: FruitlessPlace[];
  /** The current proof. */
  proven?: PublicVerified;
}

/** The handlers of that page. */
export function claimPageHandlers(kind: EntryKind) {
  return {
    async GET(ctx: Asked<Deps>) {
      const { name } = await readEntry(ctx.state.deps, kind, ctx.params.slug!);
      return page<ClaimPageData>({ name, problems: [] }, NO_STORE);
    },

    async POST(ctx: Asked<Deps>) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug!;
      const { name } = await readEntry(deps, kind, slug);
      const form = await readForm(ctx.req);
      const editKey = editKeyOf(form);
      const result = await submitForm(async (): Promise<Partial<ClaimPageData>> => {
        if ("start" in form) {
          return { claim: await startClaim(deps, { kind, slug, editKey: null }) };
        }
        try {
          return { proven: await proveOwnership(deps, { kind, slug, editKey, caller }) };
        } catch (error) {
          if (!(error instanceof DomainError && error.code === "ownership_not_proven")) throw error;
          return { unproven: error.details as FruitlessPlace[] };
        }
      });
      if (!result.ok) return page<ClaimPageData>({ name, problems: result.problems }, result.init);
      const status = result.value.unproven ? 409 : 200;
      const data = { name, problems: [], ...result.value };
      return page<ClaimPageData>(data, { ...NO_STORE, status });
    },
  };
}

/** The handlers of the page for withdrawing an entry. */
export function withdrawHandlers(kind: EntryKind) {
  const nameOf = async (deps: Deps, slug: string) =>
    kind === "listing" ? await nameOfEditable(deps, slug) : (await getSkill(deps, slug)).title;
  const handlers = keyPageHandlers(nameOf, async (deps, own) => {
    await withdrawEntry(deps, kind, own);
    return true;
  });
  return {
    ...handlers,
    // If the button is pressed twice, browsers show the second response.
    async POST(ctx: Asked<Deps>) {
      const name = ctx.params.slug!;
      const { value } = await ctx.state.deps.store.get<StoredEntry>(entryKey(kind, name));
      return value?.state === "withdrawn"
        ? page<KeyPageData<boolean>>({ name, problems: [], shown: true }, NO_STORE)
        : await handlers.POST(ctx);
    },
  };
}
