import { assertEquals, assertStringIncludes } from "@std/assert";
import { copyAll } from "@/lib/backup/copy.ts";
import { verify } from "@/lib/backup/verify.ts";
import { storeKeys } from "@/lib/kv/keys.ts";
import { listingKeys } from "@/lib/listings/keys.ts";
import { keepLogo, logoVersion, readLogo } from "@/lib/listings/logo.ts";
import type { StoredListing } from "@/lib/listings/schema.ts";
import { SCHEMA_VERSION } from "@/lib/migrations.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { inFolder } from "../support/folder.ts";
import { submit } from "../support/listings.ts";
import { operator, operatorJson } from "../support/operator.ts";

/** Runs a test with a service and its backup, which has the listing "One" with a vote. */
function withBackup(
  test: (of: {
    app: TestApp;
    file: string;
    editKey: string;
    restore: (...args: string[]) => Promise<{ status: number; text: string }>;
  }) => Promise<void>,
): Promise<void> {
  return inFolder(async (folder) => {
    await using app = await testApp({ env: { KV_PATH: `${folder}/kv.sqlite3` } });
    const { editKey } = await submit(app, {
      name: "One",
      url: "https://one.example",
      description: "Long",
      contactEmail: "ada@one.example",
    });
    await app.json("/api/v1/projects/one/vote", { method: "POST" });
    const file = `${folder}/backup.sqlite3`;
    const backup = await Deno.openKv(file);
    await copyAll(app.deps.store.kv as Deno.Kv, backup, () => {});
    await backup.set(storeKeys.schemaVersion, SCHEMA_VERSION);
    backup.close();
    await test({
      app,
      file,
      editKey,
      async restore(...args) {
        const { status, stdout, stderr } = await operator(
          app,
          "listings",
          "restore",
          "one",
          "--from",
          file,
          ...args,
        );
        return { status, text: stdout + stderr };
      },
    });
    const files = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
    assertEquals(files.filter((name) => name.startsWith("backup-being-read")), []);
    assertEquals(await verify(app.deps.store), []);
  });
}

const projectOf = async (app: TestApp) => (await app.json("/api/v1/projects/one")).body.project;

Deno.test("operator listings restore brings back a withdrawn listing with its slug, fields, key and votes", () =>
  withBackup(async ({ app, editKey, restore }) => {
    const before = await projectOf(app);
    assertEquals((await restore()).text, "one already matches it; nothing changed\n");
    await app.json("/api/v1/projects/one", { method: "DELETE", editKey });
    assertEquals((await app.json("/api/v1/projects/one")).status, 404);
    assertStringIncludes((await restore("--dry-run")).text, "one is restored from ");
    assertEquals((await app.json("/api/v1/projects/one")).status, 404);
    app.clock.advance(1_000);
    assertEquals((await restore()).status, 0);
    const after = await projectOf(app);
    assertEquals(after, { ...before, updatedAt: after.updatedAt });
    assertEquals(after.votes, 1);
    const json = { tagline: "Again" };
    const edited = await app.json("/api/v1/projects/one", { method: "PATCH", json, editKey });
    assertEquals(edited.status, 200);
    const shown = await operatorJson(app, "listings", "show", "one");
    assertEquals(shown.listing.contactEmail, "ada@one.example");
    const { changes } = (await app.json("/api/v1/changes")).body;
    assertEquals(changes.map(({ event }: { event: string }) => event).slice(-2), [
      "unhidden",
      "updated",
    ]);
    assertEquals((await app.json("/api/v1/operator-log")).body.actions[0].kind, "listing_restored");
  }));

Deno.test("operator listings restore undoes an edit but keeps the current key, unless the URL is taken", () =>
  withBackup(async ({ app, editKey, restore }) => {
    const logoUrl = "https://bad.example/logo.png";
    const json = { name: "Bad", url: "https://bad.example", description: null, logoUrl };
    await app.json("/api/v1/projects/one", { method: "PATCH", json, editKey });
    const copy = { version: logoVersion(logoUrl), png: new Uint8Array(1) };
    const { store } = app.deps;
    await store.transact((tx) => keepLogo(tx, "one", copy));
    const { editKey: newKey } = await operatorJson(app, "listings", "rekey", "one");
    assertEquals((await restore()).status, 0);
    const { name, url, description } = await projectOf(app);
    assertEquals([name, url, description], ["One", "https://one.example", "Long"]);
    assertEquals(await readLogo(store, "one"), null);
    const patch = { method: "PATCH", json: { url: "https://elsewhere.example" } };
    assertEquals(
      (await app.json("/api/v1/projects/one", { ...patch, editKey })).status,
      403,
    );
    assertEquals(
      (await app.json("/api/v1/projects/one", { ...patch, editKey: newKey })).status,
      200,
    );
    await submit(app, { name: "Other", url: "https://bad.example" });
    await submit(app, { name: "Taker", url: "https://one.example" });
    const taken = await restore();
    assertEquals([taken.status, taken.text], [
      1,
      "Refused: The URL of one is now listed as taker\n",
    ]);
    assertEquals((await projectOf(app)).url, "https://elsewhere.example");
  }));

Deno.test("operator listings restore keeps a listing hidden, and needs a flag for a forgotten one", () =>
  withBackup(async ({ app, editKey, restore }) => {
    await operator(app, "listings", "hide", "one");
    await operator(app, "forget", "email", "ada@one.example");
    await app.json("/api/v1/projects/one", { method: "PATCH", json: { name: "Bad" }, editKey });
    assertEquals((await restore()).status, 0);
    const shown = JSON.parse((await operator(app, "listings", "show", "one", "--json")).stdout);
    const { name, contactEmail } = shown.listing;
    assertEquals([name, contactEmail], ["One", null], "what was deleted stays deleted");
    assertEquals((await app.json("/api/v1/projects/one")).status, 404);
    await operator(app, "forget", "listing", "one");
    const refused = await restore();
    assertEquals([refused.status, refused.text], [
      1,
      "Refused: one was deleted with forget; --even-forgotten brings it back anyway\n",
    ]);
    assertEquals((await restore("--even-forgotten")).status, 0);
    assertEquals((await projectOf(app)).name, "One");
  }));

Deno.test("operator listings restore doesn't forget that a listing became public after the backup", () =>
  withBackup(async ({ app, file, restore }) => {
    using backup = await Deno.openKv(file);
    const { key, value } = await backup.get<StoredListing>(listingKeys.one("one"));
    await backup.set(key, { ...value, state: "hidden", wasRefused: true, tagline: "Older" });
    assertEquals((await restore()).status, 0);
    assertEquals((await projectOf(app)).tagline, "Older");
    await operator(app, "listings", "hide", "one");
    const { changes } = (await app.json("/api/v1/changes")).body;
    assertEquals(changes.map(({ event }: { event: string }) => event), ["hidden"]);
  }));

Deno.test("operator listings restore refuses a slug that the backup lacks, and a file that isn't a backup", () =>
  withBackup(async ({ app, file, restore }) => {
    await submit(app, { name: "Later" });
    const run = async (slug: string, from: string) =>
      (await operator(app, "listings", "restore", slug, "--from", from)).stderr;
    assertStringIncludes(await run("later", file), "The backup has no listing with the slug later");
    assertStringIncludes(await run("one", `${file}.none`), "There is no file");
    await Deno.writeTextFile(`${file}.txt`, "Not a database, but a text that is long enough");
    assertStringIncludes(await run("one", `${file}.txt`), "file is not a database");
    const backup = await Deno.openKv(file);
    await backup.set(storeKeys.schemaVersion, 1);
    backup.close();
    const { text } = await restore();
    assertStringIncludes(text, "has schema version 1, but this program needs");
    assertStringIncludes(text, "start a server on that to migrate it");
  }));
