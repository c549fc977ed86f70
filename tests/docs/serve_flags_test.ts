import { assert, assertEquals } from "@std/assert";

const root = new URL("../../", import.meta.url);
const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));

/** The V8 flags in a command, and whether it takes its permissions from deno.json. */
function settings(command: string): (string | undefined)[] {
  return [/--v8-flags=(\S+)/.exec(command)?.[1], / -P /.exec(command)?.[0]];
}

Deno.test("every command that serves has the same V8 flags and permissions", async () => {
  const wanted = settings(tasks.serve.command);
  assert(wanted.every((value) => value !== undefined));
  assertEquals(settings(tasks["serve:remote"].command), wanted);
  const deploy = (await Deno.readTextFile(new URL("docs/deploy.md", root))).replaceAll("\\\n", " ");
  const served = deploy.match(/^.*\bdeno serve --.*$/gm) ?? [];
  assert(served.length > 0);
  for (const command of served) assertEquals(settings(command), wanted, command);
  for (const file of ["Containerfile", "deploy/projectory.service"]) {
    const text = await Deno.readTextFile(new URL(file, root));
    // Quiet, because otherwise a task writes its command into the log, which is JSON.
    const runs = text.replaceAll('", "', " ").match(/\bdeno task --quiet serve\b/g);
    assertEquals(runs?.length, 1, `${file} runs another command`);
  }
});
