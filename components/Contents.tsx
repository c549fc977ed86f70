/** A table of contents for a long page: its chapters and, if there is room, their entries. */
export function Contents(
  { label, chapters }: {
    label: string;
    chapters: readonly {
      id: string;
      name: string;
      entries: readonly { id: string; name: string }[];
    }[];
  },
) {
  return (
    <nav class="side toc" aria-label={label}>
      {chapters.map(({ id, name, entries }) => (
        <div key={id}>
          <p class="footer-title">
            <a href={`#${id}`}>{name}</a>
          </p>
          {entries.length > 0 && (
            <ul class="plain">
              {entries.map(({ id, name }) => (
                <li key={id}>
                  <a href={`#${id}`}>{name}</a>
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </nav>
  );
}
