import { delay } from "@/lib/clock.ts";
import { freePort } from "./free_port.ts";

/** The real KV server's program, where one is at hand: the KV Connect tests then run on it as well. */
export const DENOKV = Deno.env.get("DENOKV");

/** A `denokv serve` of its own process and folder. */
export interface Denokv extends AsyncDisposable {
  url: string;
  token: string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port; resolves when it answers. */
  restart(): Promise<void>;
}

/** Starts the program that `DENOKV` names on a new database and a free port of the loopback address. */
export async function startDenokv(): Promise<Denokv> {
  const folder = await Deno.makeTempDir({ prefix: "denokv-" });
  const token = crypto.randomUUID();
  const address = `127.0.0.1:${freePort()}`;
  const url = `http://${address}`;
  let child: Deno.ChildProcess | undefined;
  const start = async () => {
    child = new Deno.Command(DENOKV!, {
      args: ["--sqlite-path", `${folder}/denokv.sqlite`, "serve", "--addr", address],
      env: { DENO_KV_ACCESS_TOKEN: token },
      stdout: "null",
      stderr: "null",
    }).spawn();
    for (let tries = 0;; tries++) {
      try {
        await (await fetch(url, { method: "POST" })).body?.cancel();
        return;
      } catch (error) {
        if (tries > 200) throw error;
        await delay(25);
      }
    }
  };
  const kill = async () => {
    child?.kill("SIGKILL");
    await child?.status;
    child = undefined;
  };
  await start();
  return {
    url,
    token,
    kill,
    restart: start,
    async [Symbol.asyncDispose]() {
      await kill();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
