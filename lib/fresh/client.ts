/// <reference lib="dom" />
/** Runs in the browser on pages with islands: finds their marks and hydrates each. */
import { type ComponentChild, type ComponentType, h, render } from "preact";
import { setBuildId } from "./build_id.ts";
import { decodeIslands } from "./island_props.ts";

/** A mark that the server left: `frsh:island:<name>:<index>` or `frsh:slot:<id>`, and its end. */
const MARK = /^frsh:(island|slot):(?:(.+):)?(\d+)$/;

const components = new Map<string, ComponentType>();

/** Hydrates every island that is not inside another; those inside come along with their slot. */
async function boot(): Promise<void> {
  const element = document.getElementById("frsh-state");
  if (element === null) return;
  const state = decodeIslands(element.textContent!, (id) => slotContent(id));
  setBuildId(state.buildId);
  await Promise.all(
    Object.entries(state.chunks).map(async ([name, url]) => {
      components.set(name, (await import(url)).default);
    }),
  );

  const slots = new Map<number, Node[]>();
  const roots: { start: Comment; end: Comment; name: string; index: number }[] = [];
  collect(document.body);
  for (const root of roots) {
    const parent = root.start.parentNode!;
    if (parent !== root.end.parentNode) {
      // deno-lint-ignore no-console
      console.error(
        `Island "${root.name}" cannot start: its HTML is nested in a way browsers move`,
      );
      continue;
    }
    const { props } = state.islands[root.index]!;
    // `render`, not `hydrate`: it takes over the nodes that are there and mends what differs.
    render(h(components.get(root.name)!, props), rootBetween(parent, root.start, root.end));
  }

  /** Notes islands and slots below `node`, leaving out islands inside of islands. */
  function collect(node: Node): void {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      const mark = child instanceof Comment ? MARK.exec(child.data) : null;
      if (mark?.[1] !== "island") {
        collect(child);
        continue;
      }
      const start = child as Comment;
      const end = endOf(start);
      if (end === null) continue;
      roots.push({ start, end, name: mark[2]!, index: Number(mark[3]) });
      noteSlots(start, end);
      child = end;
    }
  }

  /** The nodes of each slot are read before hydration touches them. */
  function noteSlots(start: Node, end: Node): void {
    for (let node = start.nextSibling; node !== null && node !== end; node = node.nextSibling) {
      const mark = node instanceof Comment ? MARK.exec(node.data) : null;
      if (mark?.[1] === "slot") {
        const nodes: Node[] = [];
        const slotEnd = endOf(node as Comment);
        for (let n = node.nextSibling; n !== null && n !== slotEnd; n = n.nextSibling) {
          nodes.push(n);
        }
        slots.set(Number(mark[3]), nodes);
        if (slotEnd === null) return;
        node = slotEnd;
      } else if (node.firstChild !== null) noteSlots({ nextSibling: node.firstChild } as Node, end);
    }
  }

  /** A vnode that shows a slot's HTML again, islands in it included. */
  function slotContent(id: number): ComponentChild {
    const Slot = () => {
      const template = document.getElementById(`frsh-slot-${id}`) as HTMLTemplateElement | null;
      const nodes = slots.get(id) ?? [...(template?.content.childNodes ?? [])];
      return toVNodes(nodes);
    };
    return h(Slot, null);
  }

  function toVNodes(nodes: Iterable<Node>): ComponentChild[] {
    const out: ComponentChild[] = [];
    let skipUntil: Node | null = null;
    for (const node of nodes) {
      if (skipUntil !== null) {
        if (node === skipUntil) skipUntil = null;
        continue;
      }
      if (node instanceof Text) out.push(node.data);
      else if (node instanceof Comment) {
        const mark = MARK.exec(node.data);
        if (mark?.[1] !== "island") continue;
        skipUntil = endOf(node);
        out.push(h(components.get(mark[2]!)!, state.islands[Number(mark[3])]!.props));
      } else if (node instanceof Element) {
        const props = Object.fromEntries([...node.attributes].map((a) => [a.name, a.value]));
        out.push(h(node.localName, props, toVNodes(node.childNodes)));
      }
    }
    return out;
  }
}

function endOf(start: Comment): Comment | null {
  const kind = MARK.exec(start.data)![1]!;
  let depth = 0;
  for (let node = start.nextSibling; node !== null; node = node.nextSibling) {
    if (!(node instanceof Comment)) continue;
    if (node.data.startsWith(`frsh:${kind}:`)) depth++;
    else if (node.data === `/frsh:${kind}` && depth-- === 0) return node;
  }
  return null;
}

/** An element stand-in whose children are the nodes between two marks. */
function rootBetween(parent: ParentNode & Node, start: Comment, end: Comment): Element {
  const childNodes = () => {
    const nodes: ChildNode[] = [];
    for (let n = start.nextSibling; n !== null && n !== end; n = n.nextSibling) {
      // Marks of slots are not part of what the component renders.
      if (!(n instanceof Comment)) nodes.push(n);
    }
    return nodes;
  };
  return {
    nodeType: 1,
    localName: (parent as Element).localName,
    namespaceURI: (parent as Element).namespaceURI,
    parentNode: parent,
    ownerDocument: document,
    get firstChild() {
      return childNodes()[0] ?? null;
    },
    get childNodes() {
      return childNodes();
    },
    contains: (node: Node) => parent.contains(node),
    insertBefore: (node: Node, child: Node | null) => parent.insertBefore(node, child ?? end),
    appendChild: (node: Node) => parent.insertBefore(node, end),
    removeChild: (node: Node) => parent.removeChild(node),
  } as unknown as Element;
}

boot();
