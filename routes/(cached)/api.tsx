import { page } from "fresh";
import { Inline } from "@/components/Inline.tsx";
import { Page } from "@/components/Page.tsx";
import { Path } from "@/components/Path.tsx";
import { Table } from "@/components/Table.tsx";
import { Unfold } from "@/components/Unfold.tsx";
import { define } from "@/lib/app/define.ts";
import { openApi } from "@/lib/app/openapi.ts";
import { ERRORS } from "@/lib/errors.ts";
import { entityText } from "@/lib/http/respond.ts";
import { RATE_LIMIT_NAMES, RATE_LIMITS, type RateBucket } from "@/lib/limits.ts";
import { apiReference, type ReferenceOperation } from "@/lib/site/api_reference.ts";
import { errorEntry, paths } from "@/lib/urls.ts";

export const handler = define.handlers({
  GET: (ctx) => page({ groups: apiReference(JSON.parse(entityText(openApi(ctx.state.deps)))) }),
});

export default define.page<typeof handler>(function Api({ data, state }) {
  return (
    <Page
      deps={state.deps}
      title="API"
      description="Every API operation: its input, its responses, and a command to try it."
      path={paths.apiReference}
      json={paths.openapi}
      lead="JSON over HTTPS. No account or key needed to read, search, submit or vote."
      first={
        <>
          <a class="button primary" href={paths.openapi}>OpenAPI 3.1</a>
          <a class="button" href={paths.agents}>For agents</a>
        </>
      }
    >
      <ul>
        <li>
          Successful responses have <code>ok: true</code>. Errors have <code>ok: false</code> and
          {" "}
          <a href="#errors">a code</a>.
        </li>
        <li>
          To edit, send your edit key as{" "}
          <code class="whole">X-Edit-Key</code>. You get it when you submit.
        </li>
        <li>
          If you are an agent, send your name as <code class="whole">X-Agent-Name</code>.
        </li>
        <li>
          Lists have <code>total</code>, <code>limit</code>, <code>offset</code> and{" "}
          <code>nextOffset</code>, and a <code>Link</code> header.
        </li>
        <li>
          Most reads have an <code>ETag</code>. Send it as <code class="whole">If-None-Match</code>
          {" "}
          to get a 304 if nothing has changed.
        </li>
        <li>
          Any call can fail with a 503 <code>storage_unavailable</code>. If so, nothing was saved.
        </li>
      </ul>
      <div class="columns">
        <div>
          {data.groups.map(({ name, description, operations }) => (
            <section key={name} aria-labelledby={`tag-${name}`} class="chapter">
              <h2 id={`tag-${name}`}>{name}</h2>
              <p class="dim">{description}</p>
              {operations.map((operation) => <Entry key={operation.id} operation={operation} />)}
            </section>
          ))}
          <Errors />
          <section aria-labelledby="limits" class="chapter">
            <h2 id="limits">Limits</h2>
            <p>
              Requests per network in a rolling hour. Over a limit, you get a 429 with Retry-After.
            </p>
            <dl class="facts">
              {Object.entries(RATE_LIMITS).flatMap(([bucket, limit]) => [
                <dt key={bucket}>{RATE_LIMIT_NAMES[bucket as RateBucket]}</dt>,
                <dd key={`${bucket}-limit`}>{limit}</dd>,
              ])}
            </dl>
          </section>
        </div>
        <nav class="side toc" aria-labelledby="toc">
          <h2 id="toc">On this page</h2>
          <ul class="plain">
            {data.groups.map(({ name }) => (
              <li key={name}>
                <a href={`#tag-${name}`}>{name}</a>
              </li>
            ))}
            <li>
              <a href="#errors">Errors</a>
            </li>
            <li>
              <a href="#limits">Limits</a>
            </li>
          </ul>
        </nav>
      </div>
    </Page>
  );
});

function Errors() {
  return (
    <section aria-labelledby="errors" class="chapter">
      <h2 id="errors">Errors</h2>
      <details class="unfold">
        <summary>All {Object.keys(ERRORS).length} error codes</summary>
        <Table label="Error codes" columns={["Code", "Status", "Meaning"]}>
          {Object.entries(ERRORS).map(([code, { status, message }]) => (
            <tr key={code}>
              <th scope="row">
                <a href={paths.helpEntry(errorEntry(code))}>
                  <code>{code}</code>
                </a>
              </th>
              <td>{status}</td>
              <td>{message}</td>
            </tr>
          ))}
        </Table>
      </details>
    </section>
  );
}

function Entry({ operation }: { operation: ReferenceOperation }) {
  const { id, method, path, summary, description, fields, responses, curl } = operation;
  return (
    <Unfold
      id={id}
      head={
        <>
          <h3>{summary}</h3>{" "}
          <span class="api-line">
            <span class={`label method-${method.toLowerCase()}`}>{method}</span>{" "}
            <Path path={path} />
          </span>
        </>
      }
    >
      {description && (
        <p>
          <Inline text={description} />
        </p>
      )}
      <pre
        tabIndex={0}
        role="region"
        aria-label={`Command for ${method} ${path}`}
      ><code>{curl}</code></pre>
      {fields.length > 0 && (
        <Table label={`Input of ${method} ${path}`} columns={["Name", "In", "Value"]}>
          {fields.map((field) => (
            <tr key={field.place + field.name}>
              <th scope="row">
                <code>{field.name}</code> {field.isRequired && <span class="label">required</span>}
              </th>
              <td>{field.place}</td>
              <td>
                <code>{field.type}</code> {field.description && (
                  <span class="field-note">
                    <Inline text={field.description} />
                  </span>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <ul class="plain api-responses">
        {responses.map(({ status, description }) => (
          <li key={status}>
            <code>{status}</code> <Inline text={description} />
          </li>
        ))}
      </ul>
    </Unfold>
  );
}
