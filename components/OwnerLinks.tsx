/** Links for the owner of an entry: paths by label, if they exist here. */
export function OwnerLinks(
  { noun, links }: {
    noun: "project" | "skill";
    links: Readonly<Record<string, string | false | null>>;
  },
) {
  return (
    <section class="panel" aria-labelledby="yours">
      <h2 id="yours">Own this {noun}?</h2>
      <ul class="plain cluster links">
        {Object.entries(links).map(([name, path]) =>
          path && (
            <li key={name}>
              <a href={path}>{name}</a>
            </li>
          )
        )}
      </ul>
    </section>
  );
}
