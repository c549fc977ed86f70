import type { Deps } from "../lib/app/deps.ts";
import type { EntryRef } from "../lib/entries/entries.ts";
import type { Method } from "../lib/entries/verified.ts";
import { LIMITS } from "../lib/limits.ts";
import type { ClaimPageData } from "../lib/owners/handlers.ts";
import type { FruitlessPlace } from "../lib/owners/places.ts";
import type { Claim } from "../lib/owners/verification.ts";
import { paths } from "../lib/urls.ts";
import { EditKey } from "./EditKey.tsx";
import { EntryTask } from "./EntryTask.tsx";
import { EditKeyField, TextField } from "./FormField.tsx";
import { Page } from "./Page.tsx";
import { ProblemSummary } from "./ProblemSummary.tsx";
import { Snippet } from "./Snippet.tsx";

/** What to do at each place. */
const STEPS: Record<Method, string> = {
  dns: "Add a TXT record to your domain's DNS",
  file: "Or put a text file on your site",
  meta: "Or add a tag to your page's head",
  link: "Or add a link to your page",
  repository: "Add a text file to your repository's default branch",
};

/** The page where an owner claims an entry. */
export function ClaimPage(
  props: ClaimPageData & EntryRef & { deps: Deps },
) {
  const { deps, name, claim, unproven, problems, proven } = props;
  const page = paths[props.kind](props.slug);
  const source = "the site or in the repository that the skill names as its source";
  const [noun, place, notePlace] = props.kind === "listing"
    ? ["project", "your own site", "the project's own site or in its repository"]
    : ["skill", source, source];
  return (
    <Page deps={deps} title={`Claim ${name}`} problems={problems}>
      <h1>
        {proven ? "You own " : "Claim "}
        <span dir="auto">{name}</span>
      </h1>
      <EntryTask
        deps={deps}
        entry={props}
        lead={proven
          ? (
            <>
              It now shows a verified owner,{" "}
              <strong>{proven.domain}</strong>, and only your new edit key works. Leave the token in
              place.
            </>
          )
          : `Is this ${noun} yours? ${
            deps.fetcher === null ? "We'll check by hand." : "Prove it in three steps."
          }`}
      >
        <ProblemSummary
          problems={problems}
          labels={{ editKey: "Edit key" }}
          undone="Nothing was changed"
          kept={deps.fetcher === null
            ? "Follow the steps below"
            : "To try again, enter the edit key"}
        />
        {proven
          ? (
            <p>
              <a class="button primary" href={page} aria-current="false">See the {noun}</a>{" "}
              <a class="button" href={paths.editOf(page)}>Edit it</a>
            </p>
          )
          : deps.fetcher === null
          ? (
            <>
              <ol class="steps">
                <li>
                  Publish a note on {notePlace}. It must mention {deps.env.siteName}{" "}
                  and give the email address to send the new edit key to.
                </li>
                <li>Send us a link to the note.</li>
                <li>
                  Once we've seen the note, we'll send a new edit key to that email address. The old
                  key will stop working.
                </li>
              </ol>
              <form method="post" action={paths.reportOf(page)} class="form">
                <input type="hidden" name="reason" value="other" />
                <TextField
                  name="note"
                  label="Link to the note"
                  problems={[]}
                  required
                  inputMode="url"
                  characters={LIMITS.reportNoteMax}
                />
                <button type="submit" class="button primary">Send</button>
              </form>
            </>
          )
          : (
            <>
              <ol class="steps">
                <li>Get a token. It comes with a new edit key.</li>
                <li>Publish the token on {place}.</li>
                <li>
                  Come back and check. Once we find the token, only the new key works, and the{" "}
                  {noun} shows a verified owner.
                </li>
              </ol>
              {unproven && <Unproven places={unproven} />}
              {claim
                ? <Publish claim={claim} page={page} />
                : <Begin page={page} problems={problems} isRepeated={unproven !== undefined} />}
            </>
          )}
        {!proven && (
          <p class="dim">
            Can't publish anything there?{" "}
            <a href={paths.helpEntry("lost-edit-key")}>See what else you can do</a>.
          </p>
        )}
      </EntryTask>
    </Page>
  );
}

function Begin({ page, problems, isRepeated }: {
  page: string;
  problems: ClaimPageData["problems"];
  isRepeated: boolean;
}) {
  const start = (
    <form method="post" action={paths.claimOf(page)} class="form">
      <input type="hidden" name="start" value="1" />
      <button type="submit" class={isRepeated ? "button" : "button primary"}>
        {isRepeated ? "Get a new token" : "Get a token"}
      </button>
    </form>
  );
  return (
    <>
      {!isRepeated && start}
      <h2>Already published the token?</h2>
      <form method="post" action={paths.claimOf(page)} class="form">
        <EditKeyField problems={problems} which="The new key that came with the token." />
        <button type="submit" class={isRepeated ? "button primary" : "button"}>Check</button>
      </form>
      {isRepeated && start}
    </>
  );
}

/** The token with every possible place for it, and the button that checks there. */
function Publish({ claim, page }: { claim: Claim; page: string }) {
  return (
    <>
      <EditKey editKey={claim.editKey} form={paths.editOf(page)} />
      <section class="panel" aria-labelledby="publish">
        <h2 id="publish">Publish the token in one place</h2>
        <p>
          The token isn't secret: it's useless without the key. Leave it in place, because we check
          again every week.
        </p>
        {claim.places.map(({ method, where, content }) => (
          <div key={method}>
            <h3>{STEPS[method]}</h3>
            <Snippet
              label={method === "dns" ? `TXT record for ${where}` : where}
              text={content}
            />
          </div>
        ))}
      </section>
      <form method="post" action={paths.claimOf(page)} class="form">
        <input type="hidden" name="editKey" value={claim.editKey} />
        <button type="submit" class="button primary">Check now</button>
      </form>
      <p class="dim">
        You can also come back later: save the key, then enter it here.
      </p>
    </>
  );
}

/** What a check found instead of the token. */
function Unproven({ places }: { places: FruitlessPlace[] }) {
  return (
    <section class="problems" role="alert" tabIndex={-1} autofocus>
      <p>We didn't find the token. We looked here:</p>
      <ul>
        {places.map(({ method, where, content, found }) => (
          <li key={method}>
            <code>{where}</code>: expected <code>{content}</code>. Found: {found}.
          </li>
        ))}
      </ul>
    </section>
  );
}
