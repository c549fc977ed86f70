/** Where the owner of an entry goes from its page: paths by what they are called, if they exist here. */
export function OwnerLinks(
  { noun, links }: {
    noun: "project" | "skill";
    links: Readonly<Record<string, string | false | null>>;
  },
) {
  return (
    <section aria-labelledby="yours">
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
