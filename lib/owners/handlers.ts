/** The handlers for claiming an entry. */
import { page } from "fresh";
import { EDIT_KEY_NOTICE, requestEditKey } from "../entries/edit_key.ts";
import type { EntryKind } from "../entries/entries.ts";
import type { PublicVerified } from "../entries/verified.ts";
import { DomainError } from "../errors.ts";
import { ignoreBody, readForm, readJsonIfAny } from "../http/body.ts";
import { editKeyOf, type FormState, NO_STORE, submitForm } from "../http/forms.ts";
import { parseInput } from "../http/input.ts";
import { json } from "../http/respond.ts";
import type { Asked } from "../http/state.ts";
import { paths } from "../urls.ts";
import type { Deps } from "./deps.ts";
import { ClaimInput } from "./openapi.ts";
import type { FruitlessPlace } from "./places.ts";
import { type Claim, proveOwnership, startClaim } from "./verification.ts";

/** The API handlers that begin a claim. */
export function startHandlers<D extends Deps>(kind: EntryKind) {
  const entry = kind === "listing" ? paths.apiListing : paths.apiSkill;
  return {
    async POST(ctx: Asked<D>) {
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
        places: places.map(({ method, where, content }) => ({ method, where, content })),
        checkUrl: deps.urls.to(paths.apiClaimCheck(entry(slug))),
      });
    },
  };
}

/**
 * The API handlers that check a claim. `read` returns the proven entry in the form of the response.
 */
export function checkHandlers<D extends Deps>(
  kind: EntryKind,
  read: (deps: D, slug: string) => Promise<object>,
) {
  return {
    async POST(ctx: Asked<D>) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug!;
      await ignoreBody(ctx.req);
      const editKey = requestEditKey(ctx.req.headers);
      await proveOwnership(deps, { kind, slug, editKey, caller });
      return json({ ok: true, ...await read(deps, slug) });
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

/** The handlers of that page. `read` throws `not_found`. */
export function claimPageHandlers<D extends Deps>(
  kind: EntryKind,
  read: (deps: D, slug: string) => Promise<{ name: string; verified: PublicVerified | null }>,
) {
  return {
    async GET(ctx: Asked<D>) {
      const { name } = await read(ctx.state.deps, ctx.params.slug!);
      return page<ClaimPageData>({ name, problems: [] }, NO_STORE);
    },

    async POST(ctx: Asked<D>) {
      const { deps, caller } = ctx.state;
      const slug = ctx.params.slug!;
      const { name } = await read(deps, slug);
      const form = await readForm(ctx.req);
      const editKey = editKeyOf(form);
      const work = async () => {
        if ("start" in form) {
          return { claim: await startClaim(deps, { kind, slug, editKey: null }) };
        }
        await proveOwnership(deps, { kind, slug, editKey, caller });
        return { proven: (await read(deps, slug)).verified! };
      };
      const result = await submitForm(() => outcomeOf(work), {});
      if (!result.ok) return page<ClaimPageData>({ name, problems: result.problems }, result.init);
      const status = result.value.unproven ? 409 : 200;
      const data = { name, problems: [], ...result.value };
      return page<ClaimPageData>(data, { ...NO_STORE, status });
    },
  };
}

/** What to show after a form asked for a proof. */
async function outcomeOf(
  work: () => Promise<Partial<ClaimPageData>>,
): Promise<Partial<ClaimPageData>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "ownership_not_proven")) throw error;
    return { unproven: error.details as FruitlessPlace[] };
  }
}
