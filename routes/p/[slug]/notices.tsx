import { KeyPage } from "@/components/KeyPage.tsx";
import { Snippet } from "@/components/Snippet.tsx";
import { define } from "@/lib/app/define.ts";
import type { Deps } from "@/lib/app/deps.ts";
import { keyPageHandlers } from "@/lib/entries/key_page.ts";
import { nameOfEditable } from "@/lib/listings/service.ts";
import { channelsOf } from "@/lib/notices/channels.ts";
import { type NoticeSettings, readNoticeSettings } from "@/lib/notices/service.ts";
import { paths } from "@/lib/urls.ts";

export const handler = keyPageHandlers<Deps, NoticeSettings>(nameOfEditable, readNoticeSettings);

export default define.page<typeof handler>(function Notices({ data, state, params }) {
  const slug = params.slug!;
  const isOffered = channelsOf(state.deps.env).webhook;
  return (
    <KeyPage
      deps={state.deps}
      data={data}
      slug={slug}
      title="Notices for"
      action={paths.listingNotices(slug)}
      lead={isOffered
        ? (
          <>
            See where we send notices about this project, and your webhook secret. To change the
            addresses, <a href={paths.editOf(paths.listing(slug))}>edit the project</a>.
          </>
        )
        : "This site sends no notices."}
      button={isOffered ? "Show settings" : null}
      show={({ channels: { email, webhook }, webhookSecret }) => (
        <>
          <ul>
            <li>Email: {stateOf(email)}</li>
            <li>Webhook: {stateOf(webhook)}</li>
          </ul>
          {webhook.offered && (
            <>
              <h2>Webhook secret</h2>
              <Snippet text={webhookSecret} label="secret" />
              <p class="dim">
                Verify signatures as described by{" "}
                <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>. A new edit key
                changes the secret.
              </p>
            </>
          )}
        </>
      )}
    />
  );
});

function stateOf({ offered, isSet }: NoticeSettings["channels"]["email"]): string {
  if (!offered) return "not available on this site";
  return isSet ? "set up" : "not set up";
}
