import { page } from "fresh";
import { EditKey } from "@/components/EditKey.tsx";
import { EditKeyField } from "@/components/FormField.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { ProblemSummary } from "@/components/ProblemSummary.tsx";
import { Snippet } from "@/components/Snippet.tsx";
import { define } from "@/lib/app/define.ts";
import { DomainError } from "@/lib/errors.ts";
import { readForm } from "@/lib/http/body.ts";
import { editKeyOf, type FormState, NO_STORE, submitForm } from "@/lib/http/forms.ts";
import type { PublicListing } from "@/lib/listings/schema.ts";
import { getListing } from "@/lib/listings/service.ts";
import type { Method } from "@/lib/listings/verified.ts";
import type { Fruitless } from "@/lib/owners/places.ts";
import { type Claim, proveOwnership, startClaim } from "@/lib/owners/verification.ts";
import { paths } from "@/lib/urls.ts";

interface Data extends Pick<FormState, "problems"> {
  listing: PublicListing;
  /** A claim that was just begun. */
  claim?: Claim;
  /** What a check found instead of the token. */
  unproven?: Fruitless[];
  isProven?: boolean;
}

/** What a form that asks for a proof gave: what is to be shown of it. */
async function outcomeOf(work: () => Promise<Partial<Data>>): Promise<Partial<Data>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "ownership_not_proven")) throw error;
    return { unproven: error.details as Fruitless[] };
  }
}

export const handler = define.handlers({
  async GET(ctx) {
    const listing = await getListing(ctx.state.deps, ctx.params.slug!);
    return page<Data>({ listing, problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const slug = ctx.params.slug!;
    const listing = await getListing(deps, slug);
    const form = await readForm(ctx.req);
    const editKey = editKeyOf(form);
    const result = await submitForm(
      () =>
        outcomeOf(async () =>
          "start" in form
            ? { claim: await startClaim(deps, { slug, editKey: null }) }
            : { listing: await proveOwnership(deps, { slug, editKey, caller }), isProven: true }
        ),
      {},
    );
    const shown: Partial<Data> = result.ok ? result.value : { problems: result.problems };
    const init = result.ok
      ? { ...NO_STORE, status: result.value.unproven ? 409 : 200 }
      : result.init;
    return page<Data>({ listing, problems: [], ...shown }, init);
  },
});

/** What to do at each place. */
const STEPS: Record<Method, string> = {
  dns: "Add a TXT record to your domain's DNS",
  file: "Or put a text file on your site",
  meta: "Or add a tag to the head of your page",
  link: "Or link from your page",
  repository: "Put a text file into your repository's default branch",
};

export default define.page<typeof handler>(function ClaimPage({ data, state, params }) {
  const { listing, claim, unproven, problems, isProven } = data;
  const slug = params.slug!;
  return (
    <main id="main" class="page narrow">
      <PageHead deps={state.deps} title={`Claim ${listing.name}`} problems={problems} />
      <h1>
        {isProven ? "You own " : "Claim "}
        <span dir="auto">{listing.name}</span>
      </h1>
      {isProven ? <Proven listing={listing} /> : state.deps.fetcher === null
        ? (
          <p class="lead">
            This site can't look at other sites, so it can't check that{" "}
            <a href={paths.listing(slug)} aria-current="false">this project</a> is yours.{" "}
            <a href={paths.listingReport(slug)}>Report it</a> instead, and say how you can prove it.
          </p>
        )
        : (
          <>
            <p class="lead">
              Is <a href={paths.listing(slug)} aria-current="false">this project</a>{" "}
              yours? Publish a token on your own site. You get a new edit key, any other key stops
              working, and the project shows a verified owner.
            </p>
            {unproven && <Unproven places={unproven} />}
            <ProblemSummary
              problems={problems}
              labels={{ editKey: "Edit key" }}
              undone="Nothing was changed"
              kept="and the edit key is not kept"
            />
            {claim
              ? <Publish claim={claim} slug={slug} />
              : <Begin slug={slug} problems={problems} isRepeated={unproven !== undefined} />}
          </>
        )}
    </main>
  );
});

function Begin({ slug, problems, isRepeated }: {
  slug: string;
  problems: Data["problems"];
  isRepeated: boolean;
}) {
  const start = (
    <form method="post" action={paths.listingClaim(slug)} class="form">
      <input type="hidden" name="start" value="1" />
      <button type="submit" class={isRepeated ? "button" : "button primary"}>
        Get a new token
      </button>
    </form>
  );
  return (
    <>
      {!isRepeated && start}
      <h2>Already published it?</h2>
      <form method="post" action={paths.listingClaim(slug)} class="form">
        <EditKeyField problems={problems} />
        <button type="submit" class={isRepeated ? "button primary" : "button"}>Check</button>
      </form>
      {isRepeated && start}
    </>
  );
}

/** The token with every place for it, and the button that looks there. */
function Publish({ claim, slug }: { claim: Claim; slug: string }) {
  return (
    <>
      <EditKey editKey={claim.editKey} form={paths.listingEdit(slug)} />
      <h2>Publish the token in one place</h2>
      <p>
        Anyone may see the token: it is of no use without the key. Leave it there, because we look
        again every week.
      </p>
      {claim.places.map(({ method, where, content }) => (
        <section key={method}>
          <h3>{STEPS[method]}</h3>
          <Snippet
            label={method === "dns" ? `TXT record of ${where}` : where}
            text={content}
          />
        </section>
      ))}
      <form method="post" action={paths.listingClaim(slug)} class="form">
        <input type="hidden" name="editKey" value={claim.editKey} />
        <button type="submit" class="button primary">Check now</button>
      </form>
      <p class="dim">
        You can also come back later: save the key, and enter it here to check.
      </p>
    </>
  );
}

/** What a check found instead of the token. */
function Unproven({ places }: { places: Fruitless[] }) {
  return (
    <section class="problems" role="alert" tabIndex={-1} autofocus>
      <p>We didn't find the token. We looked here:</p>
      <ul>
        {places.map(({ method, where, content, found }) => (
          <li key={method}>
            <code>{where}</code>: we looked for <code>{content}</code>. Found: {found}.
          </li>
        ))}
      </ul>
    </section>
  );
}

function Proven({ listing }: { listing: PublicListing }) {
  return (
    <>
      <p class="lead">
        It now shows a verified owner,{" "}
        <strong>{listing.verified?.domain}</strong>, and only your new edit key opens it. Leave the
        token where it is.
      </p>
      <p>
        <a class="button primary" href={paths.listing(listing.slug)}>See the project</a>{" "}
        <a class="button" href={paths.listingEdit(listing.slug)}>Edit it</a>
      </p>
    </>
  );
}
