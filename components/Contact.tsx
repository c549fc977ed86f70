import { paths } from "../lib/urls.ts";

/** How to reach whoever runs the site: by the address that they give, behind `lead`, or by a report. */
export function Contact({ lead, email }: { lead: string; email: string | undefined }) {
  return (
    <p>
      {email
        ? (
          <>
            {lead} <a href={`mailto:${email}`}>{email}</a>.
          </>
        )
        : (
          <>
            To reach whoever runs this site, use the <a href={paths.report}>report form</a> or{" "}
            <a href={paths.apiOperation("createReport")}>POST /api/v1/reports</a>.
          </>
        )}
    </p>
  );
}
