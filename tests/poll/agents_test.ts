import { assertEquals } from "@std/assert";
import { LIMITS } from "@/lib/limits.ts";
import { setAgentHidden } from "@/lib/poll/agents.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { kvWith } from "../support/kv_with.ts";
import { callTool } from "../support/mcp.ts";
import { operator } from "../support/operator.ts";
import { vote } from "./voting.ts";

/** The top agents, the names next to the reasons, and how many ballots count. */
async function shown(app: TestApp) {
  const { standings, recentReasons } = (await app.json("/api/v1/poll")).body;
  return {
    top: standings.all.topAgents.map(({ agentName }: { agentName: string }) => agentName),
    reasons: recentReasons.map(({ agentName }: { agentName: string | null }) => agentName),
    votes: standings.all.totals.all,
  };
}

Deno.test("a hidden agent is named nowhere in the poll but still counts, and comes back as first spelled", async () => {
  await using app = await testApp();
  for (const agent of ["Scout", "Foul"]) {
    await vote(app, { candidate: "claude", reason: `By ${agent.length}` }, { agent });
  }
  await vote(app, { candidate: "grok", reason: "A person" });
  const all = { top: ["Foul", "Scout"], reasons: [null, "Foul", "Scout"], votes: 3 };
  const sorted = async () => {
    const poll = await shown(app);
    return { ...poll, top: poll.top.sort() };
  };
  assertEquals(await sorted(), all);
  assertEquals((await operator(app, "agents", "hide", "FOUL")).stdout, "Foul is hidden\n");
  const without = { top: ["Scout"], reasons: [null, null, "Scout"], votes: 3 };
  assertEquals(await sorted(), without);
  await vote(app, { candidate: "kimi" }, { agent: "Foul", address: "198.51.100.7" });
  assertEquals(await sorted(), { ...without, votes: 4 }, "even after another ballot");
  assertEquals((await operator(app, "agents", "list")).stdout, "Foul\n1 hidden\n");
  await using later = await testApp({ kv: kvWith(app.deps.store.kv, { close: () => {} }) });
  assertEquals((await shown(later)).top, ["Scout"], "even after a restart");
  const again = await operator(app, "agents", "hide", "Foul");
  assertEquals(again.stdout, "Foul is already hidden; nothing changed\n");
  assertEquals((await operator(app, "agents", "unhide", "foul")).stdout, "Foul is shown\n");
  assertEquals(await sorted(), { ...all, votes: 4 });
  assertEquals((await operator(app, "agents", "list")).stdout, "0 hidden\n");
  const none = await operator(app, "agents", "hide", "Nobody");
  assertEquals([none.status, none.stderr], [
    1,
    "Refused: Nobody has voted as Nobody\n",
  ]);
});

Deno.test("hiding top agents doesn't shorten the list of top agents", async () => {
  await using app = await testApp();
  const agents = Array.from({ length: LIMITS.agentsShown + 2 }, (_, i) => `Agent ${i}`);
  for (const [i, agent] of agents.entries()) {
    await vote(app, { candidate: "claude" }, { agent, address: `198.51.100.${i}` });
  }
  const { top } = await shown(app);
  assertEquals(top.length, LIMITS.agentsShown);
  for (const agentName of top.slice(0, 2)) {
    await setAgentHidden(app.deps, { agentName, hidden: true });
  }
  const rest = agents.filter((name) => !top.slice(0, 2).includes(name));
  assertEquals((await shown(app)).top.sort(), rest.sort());
});

Deno.test("a ballot counts once under its agent's name, whichever spelling is shown", async () => {
  for (const spellings of [["Ⓐ⑤⑤", "a55"], ["a55", "Ⓐ⑤⑤"]]) {
    await using app = await testApp();
    for (const yourName of [...spellings, ...spellings]) {
      await callTool(app, "vote_best_ai", { candidate: "claude", reason: "Same", yourName });
    }
    assertEquals(await shown(app), { top: ["a55"], reasons: ["a55"], votes: 1 });
  }
});
