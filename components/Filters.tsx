import { LIMITS } from "../lib/limits.ts";

/** One choice of a filter form; `any` names the choice of everything. */
export interface FilterChoice {
  name: string;
  label: string;
  any?: string;
  options: readonly (readonly [value: string, label: string])[];
}

/** The filters of a list: a GET form, so that every view has an address. */
export function Filters(props: {
  action: string;
  label: string;
  /** An example of search words. */
  placeholder: string;
  query: { readonly q?: string; readonly [name: string]: unknown };
  choices: readonly FilterChoice[];
  /** Filters that a link sets and that a visitor can only change or clear: their labels by name. */
  texts: Readonly<Record<string, string>>;
}) {
  const { query } = props;
  return (
    <form class="filters" action={props.action} role="search" aria-label={props.label}>
      <div class="filter wide">
        <label for="q">Search</label>
        <input
          id="q"
          name="q"
          type="search"
          value={query.q ?? ""}
          maxLength={LIMITS.queryMax}
          placeholder={props.placeholder}
        />
      </div>
      {props.choices.map(({ name, label, any, options }) => (
        <div class="filter" key={name}>
          <label for={name}>{label}</label>
          <select id={name} name={name}>
            {any !== undefined && <option value="">{any}</option>}
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
            <input id={name} name={name} value={String(query[name])} maxLength={LIMITS.tagMax} />
          </div>
        )
      )}
      <button type="submit" class="button">Show</button>
    </form>
  );
}
