/// <reference lib="dom" />
/** Runs in the browser on pages with islands: finds each island by its mark and starts it. */
import { h, render } from "preact";
import type { IslandsState } from "./island_props.ts";
import { scriptPath } from "./shared.ts";

/** The mark that the server puts before an island. Another follows the island. */
const MARK = /^frsh:island:.+:(\d+)$/;

async function boot(): Promise<void> {
  const state = document.getElementById("frsh-state")!.textContent!;
  const { buildId, islands } = JSON.parse(state) as IslandsState;
  const modules = await Promise.all(
    islands.map(({ island }) => import(scriptPath(buildId, island))),
  );
  const comments: Comment[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) comments.push(walker.currentNode as Comment);
  for (const [i, start] of comments.entries()) {
    const mark = MARK.exec(start.data);
    if (mark === null) continue;
    const index = Number(mark[1]);
    const end = comments.slice(i).find((comment) => comment.data === "/frsh:island")!;
    // `render`, not `hydrate`: it takes over the existing nodes and corrects what differs.
    render(h(modules[index].default, islands[index]!.props), rootBetween(start, end));
  }
}

/** What Preact needs from the element it renders into, for the nodes between two marks. */
function rootBetween(start: Comment, end: Comment): Element {
  const parent = start.parentNode as Element;
  const childNodes = () => {
    const nodes: ChildNode[] = [];
    for (let n = start.nextSibling; n !== null && n !== end; n = n.nextSibling) nodes.push(n);
    return nodes;
  };
  return {
    namespaceURI: parent.namespaceURI,
    get firstChild() {
      return childNodes()[0] ?? null;
    },
    get childNodes() {
      return childNodes();
    },
    insertBefore: (node: Node, child: Node | null) => parent.insertBefore(node, child ?? end),
  } as unknown as Element;
}

boot();
