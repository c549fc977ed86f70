import { freePort } from "./free_port.ts";
import { until } from "./until.ts";

/** The real KV server's program, if available: the KV Connect tests then also run on it. */
export const DENOKV = Deno.env.get("DENOKV");

/** A `denokv serve` with its own process and folder. */
interface Denokv extends AsyncDisposable {
  url: string;
  token: string;
  /** Kills it as a crash would. */
  kill(): Promise<void>;
  /** Restarts it with the same data and port; resolves when it responds. */
  restart(): Promise<void>;
}

/** Starts the program in `DENOKV` on a new database and a free loopback port. */
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
    const answers = async () => void await (await fetch(url, { method: "POST" })).body?.cancel();
    await until("denokv responds", () => answers().then(() => true, () => false));
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
