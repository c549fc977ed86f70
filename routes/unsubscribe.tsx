import { page } from "fresh";
import { Page } from "@/components/Page.tsx";
import { define } from "@/lib/app/define.ts";
import { ignoreBody } from "@/lib/http/body.ts";
import { NO_STORE } from "@/lib/http/forms.ts";
import { readOptOut, setOptOut } from "@/lib/notices/unsubscribe.ts";
import { paths, withQuery } from "@/lib/urls.ts";

/**
 * A POST unsubscribes immediately, as email programs send it (RFC 8058). They prefer
 * multipart/form-data; whatever the body is, it says nothing more. A GET changes nothing, because
 * scanners follow every link in an email.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const token = ctx.url.searchParams.get("token") ?? "";
    return page({ token, isOut: await readOptOut(ctx.state.deps, token) }, NO_STORE);
  },

  async POST(ctx) {
    const { searchParams } = ctx.url;
    const token = searchParams.get("token") ?? "";
    const isOut = !searchParams.has("resume");
    await ignoreBody(ctx.req);
    await setOptOut(ctx.state.deps, token, isOut);
    return page({ token, isOut }, NO_STORE);
  },
});

export default define.page<typeof handler>(function Unsubscribe({ data, state }) {
  const { token, isOut } = data;
  const { siteName } = state.deps.env;
  const title = isOut ? "You are unsubscribed" : "Unsubscribe";
  return (
    <Page deps={state.deps} title={title} isNarrow>
      <h1>{title}</h1>
      <p class="lead">
        {isOut
          ? `You won't get any more emails from ${siteName}, about any project.`
          : `Stop all emails from ${siteName} to you, about any project.`}
      </p>
      <form
        method="post"
        action={withQuery(paths.unsubscribe, { token, resume: isOut ? 1 : undefined })}
        class="form"
      >
        <button type="submit" class={isOut ? "button" : "button primary"}>
          {isOut ? "Resubscribe" : "Unsubscribe"}
        </button>
      </form>
    </Page>
  );
});
