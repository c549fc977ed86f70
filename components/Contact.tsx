import type { Env } from "../lib/env.ts";
import { paths } from "../lib/urls.ts";

/** Who runs the site and how to reach them: at their address, after `lead`, or through a report. */
export function Contact({ lead, env }: { lead: string; env: Env }) {
  const { operatorName, contactEmail: email } = env;
  return (
    <p>
      {operatorName && (
        <>
          {env.siteName} is run by <strong>{operatorName}</strong>.{" "}
        </>
      )}
      {email
        ? (
          <>
            {lead} <a href={`mailto:${email}`}>{email}</a>.
          </>
        )
        : (
          <>
            <a href={paths.report}>Write to us</a>.
          </>
        )}
    </p>
  );
}
