import { LIMITS } from "../lib/limits.ts";

/** The search words of a filter form. */
export function FilterWords(props: { value: string | undefined; placeholder: string }) {
  return (
    <div class="filter wide">
      <label for="q">Words</label>
      <input
        id="q"
        name="q"
        type="search"
        value={props.value ?? ""}
        maxLength={LIMITS.queryMax}
        placeholder={props.placeholder}
      />
    </div>
  );
}

/** One choice of a filter form; `any` names the choice of everything. */
export function FilterChoice(props: {
  name: string;
  label: string;
  value: string | undefined;
  any?: string;
  options: readonly (readonly [value: string, label: string])[];
}) {
  return (
    <div class="filter">
      <label for={props.name}>{props.label}</label>
      <select id={props.name} name={props.name}>
        {props.any !== undefined && <option value="">{props.any}</option>}
        {props.options.map(([value, label]) => (
          <option key={value} value={value} selected={value === props.value}>{label}</option>
        ))}
      </select>
    </div>
  );
}
