import { SMTPServer } from "smtp-server";
import { Pace } from "@/lib/fetching/pace.ts";
import { fetcherHandler } from "@/lib/fetching/server.ts";
import { WebDouble } from "../fetching/web_double.ts";

/** An email as the server received it. */
interface TakenMail {
  to: string;
  text: string;
  /** A header by name, unfolded. */
  header(name: string): string | undefined;
}

/** The fetcher's process, with a local mail server and a local web. */
export class PostOffice implements AsyncDisposable {
  readonly web = new WebDouble();
  readonly mails: TakenMail[] = [];
  /** The code with which the mail server rejects a recipient, such as 450 or 550; 0 accepts it. */
  refusal = 0;
  /** Requests sent to the fetcher, by kind. */
  readonly asked: string[] = [];
  readonly #smtp: SMTPServer;
  readonly #fetcher: Deno.HttpServer<Deno.NetAddr>;

  private constructor(smtp: (office: PostOffice) => SMTPServer) {
    this.#smtp = smtp(this);
    // A host gets one request per second; here a second passes between any two requests.
    let now = 0;
    const handle = fetcherHandler(this.web.net, new Pace(() => now += 1_000));
    this.#fetcher = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (req) => {
        this.asked.push((await req.clone().json()).kind);
        return await handle(req);
      },
    );
  }

  static async open(): Promise<PostOffice> {
    const office = new PostOffice((self) => self.#mailServer());
    await new Promise<void>((resolve) => office.#smtp.listen(0, "127.0.0.1", resolve));
    return office;
  }

  /** The settings of a site that uses it. */
  get env(): Record<string, string> {
    const { port } = this.#smtp.server.address() as { port: number };
    return {
      FETCHER_PORT: String(this.#fetcher.addr.port),
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      CONTACT_EMAIL: "hello@projectory.test",
    };
  }

  #mailServer(): SMTPServer {
    return new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onRcptTo: (_address, _session, done) => {
        if (this.refusal === 0) return done();
        done(Object.assign(new Error("no such user"), { responseCode: this.refusal }));
      },
      onData: (stream, session, done) => {
        const pieces: Uint8Array[] = [];
        stream.on("data", (piece) => pieces.push(piece));
        stream.on("end", () => {
          const text = pieces.map((piece) => new TextDecoder().decode(piece)).join("");
          const head = text.split("\r\n\r\n")[0]!.replace(/\r\n[ \t]+/g, " ");
          this.mails.push({
            to: session.envelope.rcptTo[0]!.address,
            text,
            header: (name) => new RegExp(`^${name}: (.*)$`, "mi").exec(head)?.[1]?.trim(),
          });
          done();
        });
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetcher.shutdown();
    await new Promise<void>((resolve) => this.#smtp.close(resolve));
    await this.web[Symbol.asyncDispose]();
  }
}
