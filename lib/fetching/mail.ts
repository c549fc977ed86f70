import { createTransport } from "nodemailer";
import type { Mail, Mailed } from "./schema.ts";

/** How long (ms) the mail server may take for each step. */
const STEP_MS = 8_000;

const OWN = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Hands a message to the operator's mail server. Passwords are sent only over an encrypted
 * connection or to this machine. Failure messages name no address.
 */
export async function sendMail(mail: Mail): Promise<Mailed> {
  const { smtpUrl, host, from, to, subject, text, messageId, date, unsubscribeUrl } = mail;
  const { username, hostname } = new URL(smtpUrl);
  const isOwn = OWN.test(hostname);
  const transport = createTransport({
    url: smtpUrl,
    name: host,
    requireTLS: username !== "" && !isOwn,
    // It usually offers encryption with a self-signed certificate, which Debian makes for it.
    ...(isOwn && { tls: { rejectUnauthorized: false } }),
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from,
      to: { name: "", address: to },
      subject,
      text,
      messageId: `<${messageId}@${host}>`,
      // In RFC 5322 format: a string is sent as is.
      date: new Date(date).toUTCString().replace("GMT", "+0000"),
      headers: {
        "List-Unsubscribe": `<${unsubscribeUrl}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
      },
    });
    return { ok: true };
  } catch (error) {
    const { code = "", command, response = "", responseCode } = error as {
      code?: string;
      command?: string;
      response?: string;
      responseCode?: number;
    };
    // A refusal of this message is final. A problem with the connection, the password or the sender
    // can be fixed. Many servers refuse a sender (5.7) only once they know the recipient or message.
    const isOfMessage = ["EENVELOPE", "EMESSAGE", "EADDRESS"].includes(code) &&
      command !== "MAIL FROM" && !/^5\d\d[ -]5\.7\./.test(response);
    return {
      ok: false,
      problem: responseCode === undefined ? code || "failed" : `SMTP ${responseCode}`,
      isFinal: isOfMessage && (responseCode ?? 500) >= 500,
    };
  } finally {
    transport.close();
  }
}
