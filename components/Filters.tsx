import { LIMITS } from "../lib/limits.ts";
import { textLimit } from "./FormField.tsx";
import { namedSort } from "./Orders.tsx";

/** One select of a filter form; `any` is its label for no filter. */
interface FilterChoice {
  name: string;
  label: string;
  any: string;
  options: readonly (readonly [value: string, label: string])[];
}

interface FiltersProps {
  action: string;
  label: string;
  query: { readonly q?: string; readonly sort: string; readonly [name: string]: unknown };
  choices: readonly FilterChoice[];
  /**
   * Filters that come from a link and that a visitor can only change or clear: their labels by
   * name.
   */
  texts: Readonly<Record<string, string>>;
}

/**
 * The filters of a list: a GET form, so that every view has a URL. In a narrow window, all but the
 * search words are folded, so that the list starts on the first screen; active filters are named
 * there.
 */
export function Filters(props: FiltersProps) {
  const { query } = props;
  const set = activeFilters(props).map(([, label]) => label);
  const sort = namedSort(query);
  return (
    <form class="filters" action={props.action} role="search" aria-label={props.label}>
      {sort !== undefined && <input type="hidden" name="sort" value={sort} />}
      <div class="filter">
        <label for="q" class="wide">Search</label>
        <input
          id="q"
          name="q"
          type="search"
          dir="auto"
          value={query.q ?? ""}
          {...textLimit(LIMITS.queryMax)}
          placeholder="What do you need?"
        />
      </div>
      <details>
        <summary>{set.length > 0 ? `Filters: ${set.join(", ")}` : "Filters"}</summary>
        <div class="filter-choices">
          {props.choices.map(({ name, label, any, options }) => (
            <div class="filter" key={name}>
              <label for={name}>{label}</label>
              <select id={name} name={name}>
                <option value="">{any}</option>
                {options.map(([value, text]) => (
                  <option key={value} value={value} selected={value === query[name]}>{text}</option>
                ))}
              </select>
            </div>
          ))}
          {Object.entries(props.texts).map(([name, label]) =>
            query[name] !== undefined && (
              <div class="filter" key={name}>
                <label for={name}>{label}</label>
                <input
                  id={name}
                  name={name}
                  value={String(query[name])}
                  maxLength={LIMITS.tagMax}
                />
              </div>
            )
          )}
        </div>
      </details>
      <button type="submit" class="button">Search</button>
    </form>
  );
}

/** The active filters of a list: the name of each, and the label of its value. */
export function activeFilters(
  { query, choices, texts }: Pick<FiltersProps, "query" | "choices" | "texts">,
) {
  return [
    ...choices.map(({ name, options }) =>
      [name, options.find(([value]) => value === query[name])?.[1]] as const
    ),
    ...Object.keys(texts).map((name) => [name, query[name] as string | undefined] as const),
  ].filter(([, label]) => label !== undefined);
}
