import { page } from "fresh";
import { EditKey } from "@/components/EditKey.tsx";
import { type FormValues, ProblemSummary } from "@/components/FormField.tsx";
import { LISTING_LABELS, ListingFields } from "@/components/ListingFields.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Snippet } from "@/components/Snippet.tsx";
import { define } from "@/lib/define.ts";
import type { Deps } from "@/lib/deps.ts";
import type { FieldProblem } from "@/lib/errors.ts";
import { callerProblems } from "@/lib/http/caller.ts";
import { parseInput, readForm } from "@/lib/http/input.ts";
import { badgeSnippets } from "@/lib/listings/badge.ts";
import { listingFromForm } from "@/lib/listings/form.ts";
import { ListingInput } from "@/lib/listings/schema.ts";
import { type CreatedListing, createListing } from "@/lib/listings/service.ts";
import { submitForm } from "@/lib/site/forms.ts";
import { paths } from "@/lib/urls.ts";

interface Data {
  values: FormValues;
  problems: FieldProblem[];
  /** The listing that holds the URL already. */
  duplicate?: string;
  created?: CreatedListing;
}

const NO_STORE = { headers: { "Cache-Control": "private, no-store" } };

export const handler = define.handlers({
  GET(ctx) {
    return page<Data>({ values: fromQuery(ctx.url), problems: [] }, NO_STORE);
  },

  async POST(ctx) {
    const { deps, caller } = ctx.state;
    const values = await readForm(ctx.req);
    const result = await submitForm(() => {
      const input = parseInput(ListingInput, listingFromForm(values), callerProblems(caller));
      return createListing(deps, { input, caller });
    }, { duplicate_url: "url" });
    if (result.ok) {
      return page<Data>({ values: {}, problems: [], created: result.value }, {
        ...NO_STORE,
        status: 201,
      });
    }
    const { status, problems, error } = result;
    const duplicate = (error.details as { slug?: string }).slug;
    return page<Data>({ values, problems, duplicate }, { ...NO_STORE, status });
  },
});

/** Fields in the query fill the form, so that an agent can hand its human one link. */
function fromQuery(url: URL): FormValues {
  const values: FormValues = {};
  for (const name of Object.keys(ListingInput.shape)) {
    const given = url.searchParams.getAll(name);
    if (given.length > 0) {
      values[name] = name === "builtWith" ? given.flatMap((v) => v.split(",")) : given.join(", ");
    }
  }
  return values;
}

export default define.page<typeof handler>(function Submit({ data, state }) {
  const { values, problems, duplicate, created } = data;
  const { urls, env } = state.deps;
  if (created !== undefined) return <Submitted created={created} deps={state.deps} />;
  return (
    <main id="main" class="page narrow">
      <PageHead
        title={`Submit a project · ${env.siteName}`}
        description="List a project: free, no account, live at once."
        urls={urls}
        path={paths.submit}
      />
      <h1>Submit a project</h1>
      <p class="lead">
        Free, no account, live at once. Only the first three fields are needed.
      </p>
      <p class="dim">
        Agents send the same fields as JSON, lists as arrays, to{" "}
        <code>POST {paths.apiListings}</code>: <a href={paths.agents}>one call does it</a>.
      </p>
      <ProblemSummary problems={problems} labels={LISTING_LABELS} />
      {duplicate && (
        <p class="notice">
          This URL is listed already: <a href={paths.listing(duplicate)}>see its entry</a>.
        </p>
      )}
      <form method="post" action={paths.submit} class="form">
        <ListingFields values={values} problems={problems} />
        <p class="dim">
          By submitting you agree to the <a href={paths.terms}>terms</a>.
        </p>
        <button type="submit" class="button primary">List it</button>
      </form>
    </main>
  );
});

function Submitted({ created, deps }: { created: CreatedListing; deps: Deps }) {
  const { project, editKey, pending } = created;
  const badge = badgeSnippets(project);
  return (
    <main id="main" class="page narrow">
      <PageHead title={`Listed · ${deps.env.siteName}`} urls={deps.urls} />
      <h1>{pending ? "Thank you. It waits for review" : "It is in the index"}</h1>
      <p class="lead">
        {pending
          ? (
            <>
              The operator looks at new entries first. <span dir="auto">{project.name}</span>{" "}
              will show at <a href={paths.listing(project.slug)}>its own page</a>.
            </>
          )
          : (
            <>
              <a href={paths.listing(project.slug)} dir="auto">{project.name}</a> is live now.
            </>
          )}
      </p>
      <EditKey editKey={editKey} />
      <section class="panel" aria-labelledby="next">
        <h2 id="next">Show that it is listed</h2>
        <Snippet label="Badge in Markdown" text={badge.markdown} copy />
        <Snippet label="Badge in HTML" text={badge.html} copy />
      </section>
    </main>
  );
}
