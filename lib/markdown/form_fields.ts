import { codeSpan, escapeMarkdown } from "../text/escape.ts";
import {
  type ChildNode,
  descendants,
  type Element,
  isElement,
  isSilent,
  textOf,
} from "./html_tree.ts";

/**
 * A form's fields as a Markdown list, one item each: name, label, whether it is required, what it
 * accepts, and its hint. They are read from the form's own markup, which is generated from the
 * schemas and limits, so the Markdown asks for exactly what the form does. A form without fields
 * gives no items.
 */
export function formFields(form: Element): string[] {
  const controls = descendants(form).filter(isControl).toArray();
  const names = [...new Set(controls.map(({ attribs }) => attribs.name!))];
  return names.map((name) => {
    const own = controls.filter(({ attribs }) => attribs.name === name);
    const isNeeded = own.some(({ attribs }) => "required" in attribs);
    const caption = captionOf(form, own[0]!);
    // A field whose need depends on another one is marked as neither required nor optional.
    const isOptional = caption !== undefined &&
      descendants(caption).some(({ attribs }) => attribs.class === "optional");
    const hint = byId(form, `${name}-hint`);
    return [
      `- ${codeSpan(name)}${isNeeded ? ", required" : isOptional ? ", optional" : ""}:`,
      `${escapeMarkdown(caption === undefined ? name : shown(caption))}.`,
      `${rules(own)}.`,
      hint === undefined ? "" : sentence(escapeMarkdown(shown(hint))),
    ].filter(Boolean).join(" ");
  });
}

function isControl({ name, attribs }: Element): boolean {
  return ["input", "select", "textarea"].includes(name) && attribs.name !== undefined &&
    attribs.type !== "hidden" && !("readonly" in attribs);
}

/** What a field accepts, read from its markup. */
function rules(controls: Element[]): string {
  const [first] = controls as [Element];
  const { type = "text", inputmode = type } = first.attribs;
  const most = first.attribs["data-characters"] ?? first.attribs.maxlength;
  if (first.name === "select") {
    const options = descendants(first)
      .filter(({ name, attribs }) => name === "option" && attribs.value !== "")
      .map((option) => choice(option.attribs.value!, shown(option)));
    return oneOf([...options]);
  }
  if (type === "checkbox" || type === "radio") {
    const boxes = controls.filter(({ attribs }) => attribs.value !== "");
    return oneOf(
      boxes.map((box) => choice(box.attribs.value!, shown(box.parent as Element))),
      type === "checkbox" ? "Any of" : "One of",
    );
  }
  const kind = KINDS[inputmode] ?? (first.name === "textarea" ? "Multiline text" : "Text");
  return most === undefined ? kind : `${kind}, up to ${most} characters`;
}

const KINDS: Readonly<Record<string, string>> = {
  url: "An absolute URL",
  email: "An email address",
  password: "A secret",
};

/** The allowed values, with what to do with them. */
function oneOf(choices: string[], lead = "One of"): string {
  return (choices.length === 1 ? "Send" : lead) + choices.join(",");
}

/** An allowed value, with its label if that says more than the value. */
function choice(value: string, label: string): string {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, "");
  const isSaid = plain(label) === "" || plain(label) === plain(value);
  return ` ${codeSpan(value)}${isSaid ? "" : ` (${escapeMarkdown(label)})`}`;
}

function captionOf(form: Element, control: Element): Element | undefined {
  for (let node = control.parent; node !== null && node !== form; node = node.parent) {
    const { children } = node as Element;
    const legend = children.filter(isElement).find(({ name }) => name === "legend");
    if (legend !== undefined) return legend;
  }
  return descendants(form).find(({ name, attribs }) =>
    name === "label" && attribs.for === control.attribs.id
  );
}

function byId(form: Element, id: string): Element | undefined {
  return descendants(form).find(({ attribs }) => attribs.id === id);
}

/** A node's visible text, without the word that marks optional fields. */
function shown(node: ChildNode): string {
  if (!isElement(node)) return textOf(node);
  if (isSilent(node) || node.attribs.class === "optional") return "";
  return node.children.map(shown).join("").replace(/\s+/g, " ").trim();
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
