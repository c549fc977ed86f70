import { z } from "zod";
import { codePoint, invisibleRuns } from "../text/clean.ts";
import { lengthOf } from "../text/count.ts";
import { displayHost } from "../text/web_url.ts";
import { frontmatterOf } from "./frontmatter.ts";
import { decodeHidden } from "./hidden_text.ts";

/** The maximum number of entries in each list of facts; `total` counts them all. */
export const FACTS_PER_KIND = 50;
/** The maximum number of characters quoted from one command, address or decoded text. */
const QUOTE_MAX = 300;

const quote = z.string().max(QUOTE_MAX + 1);
const line = z.int().min(1).describe("Line number, from 1");

function listOf<T extends z.ZodType>(item: T) {
  return z.object({ total: z.int().min(0), items: z.array(item).max(FACTS_PER_KIND) });
}

/**
 * What a skill's content mentions, found by rules: facts for the reader to weigh, not a verdict.
 */
export const SkillFacts = z.object({
  characters: z.int().describe("Length in characters (code points)"),
  bytes: z.int().describe("Length in UTF-8"),
  lines: z.int(),
  sha256: z.string().describe("SHA-256 of the content in hex"),
  invisible: listOf(z.object({
    line,
    codePoints: z.array(z.string()).describe("Distinct characters, such as U+200B"),
    count: z.int(),
    decoded: quote.nullable().describe(
      "The text that the characters encode, if any",
    ),
  })),
  commands: listOf(z.object({ line, text: quote })),
  urls: listOf(z.object({ line, url: quote, host: z.string() })),
  secrets: listOf(z.object({
    line,
    kind: z.enum(["name", "file", "value"]).describe(
      "The name of a setting, a file with credentials, or text that looks like a credential (masked)",
    ),
    text: quote,
  })),
  permissions: listOf(z.object({ line, text: quote })).describe(
    "What the frontmatter asks a client to allow, such as allowed-tools",
  ),
}).meta({ id: "SkillFacts" });
export type SkillFacts = z.infer<typeof SkillFacts>;

/**
 * The opening line of a code block, perhaps in lists or a quote. Three or more marks within a line
 * are a span.
 */
const FENCE =
  /^(\s{0,12}(?:(?:[-*+>]|\d{1,9}[.)])\s{0,12}){0,9})(`{3,}(?=[^`]*$)|~{3,})\s*([\w+-]*)/;
/** The closing line: as many marks or more, and nothing else. */
const FENCE_END = /^[\s>]{0,24}(`{3,}|~{3,})\s*$/;
const SHELLS = new Set(
  "bash bat batch cmd command console fish powershell ps ps1 pwsh sh shell shell-session terminal zsh"
    .split(" "),
);
const PROMPT = /^(?:[$%>]|PS>|C:\\>)\s+(?=\S)/;
const SHELL_COMMENT = /^(?:#|\/\/|::|REM\b)/i;
const CODE_SPAN = /`([^`\n]{2,400})`/g;
/** A download that a program runs: through pipes, or as a file that the shell makes of it. */
const PIPED_DOWNLOAD =
  /\b(?:curl|wget|iwr|irm)\s[^\n]{0,300}?(?<!\|)\|(?!\|)\s{0,9}(?:sudo\s{1,9}(?:-\w{1,9}\s{1,9})?)?(?:ba|z|da)?(?:sh|iex|python3?|node)\b|\b(?:ba|z|da)?sh\s{1,9}<\(\s{0,9}(?:curl|wget)\s[^)\n]{0,300}\)/gi;
const COMMANDS = new Set(
  ("apt apt-get awk aws az base64 bash brew bun bunx cargo cat chmod chown claude codex cp crontab curl dd deno " +
    "docker docker-compose dotnet eval export find gcloud gem gh git go gradle helm iex invoke-webrequest irm iwr " +
    "java jq kubectl launchctl ln ls make mkdir mv mvn nc ncat node npm npx openssl osascript perl php pip pip3 " +
    "pipx pnpm poetry powershell psql pwsh pytest python python3 redis-cli rm rsync ruby rustup scp sed sh source " +
    "sqlite3 ssh sudo systemctl tar terraform tsc uv uvx wget xargs yarn zsh").split(" "),
);
const URLS = /\b(?:https?|ftp|wss?|ssh|git):\/\/[^\s<>"'`|\\^{}]+/gi;
const URL_TAIL = ")].,;:!?*_~";
const SETTING_NAME = /\b[A-Z][A-Z0-9_]{2,63}\b/g;
const SECRET_WORD =
  /(?:^|_)(?:API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET(?:_?KEY)?|(?:AUTH_?|ACCESS_?|BOT_?)?TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|MNEMONIC|SEED_PHRASE)(?:_|\d|$)/;
const SECRET_FILE =
  /(?:~\/)?\.(?:ssh|aws|gnupg|kube|docker)\/[\w.-]{1,60}|(?<![\w.])\.(?:env(?:\.\w{1,20})?|netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd)\b|\bid_(?:rsa|dsa|ecdsa|ed25519)\b|\/etc\/(?:shadow|passwd|sudoers)\b|\b(?:wallet\.dat|credentials\.json|service-account\.json)\b/g;
const SECRET_VALUE =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----|\b(?:sk|rk|pk)[-_][\w-]{16,200}|\bgh[pousr]_\w{20,100}|\bgithub_pat_\w{20,100}|\bglpat-[\w-]{16,60}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bxox[abeoprs]-[\w-]{10,200}|\bAIza[\w-]{30,40}|\bhf_\w{20,60}|\bnpm_\w{30,60}|\bpik_[\w-]{40,60}|\beyJ[\w-]{10,500}\.eyJ[\w-]{10,500}/g;

/** A text's lines, without an empty one after the last break. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Extracts the facts from content, in time linear in its length. */
export function skillFacts(content: string, sha256: string): SkillFacts {
  const { commands, urls, secrets, permissions } = mentionsIn(content);
  const quotedText = <T extends { text: string }>(one: T) => ({ ...one, text: quoted(one.text) });
  return {
    characters: lengthOf(content),
    bytes: new TextEncoder().encode(content).length,
    lines: linesOf(content).length,
    sha256,
    invisible: capped(invisible(content)),
    commands: capped(commands, quotedText),
    urls: capped(urls, (one) => ({ ...one, url: quoted(one.url) })),
    secrets: capped(secrets),
    permissions: capped(permissions, quotedText),
  };
}

/** Everything that the facts are taken from, in full. */
export function mentionsIn(content: string) {
  const lines = linesOf(content);
  return {
    commands: commands(lines),
    urls: onEachLine(lines, urls),
    secrets: onEachLine(lines, secrets),
    permissions: permissions(frontmatterOf(content)?.yaml ?? ""),
  };
}

function capped<T>(items: T[], shown = (item: T) => item): { total: number; items: T[] } {
  return { total: items.length, items: items.slice(0, FACTS_PER_KIND).map(shown) };
}

/** The start of a long text. */
export function quoted(text: string): string {
  return text.length <= QUOTE_MAX ? text : `${text.slice(0, QUOTE_MAX).toWellFormed()}…`;
}

/** A shorter line has no address or secret. Content may have 20,000 such lines. */
const SHORTEST = "PAT".length;

function onEachLine<T>(lines: string[], read: (text: string) => T[]): (T & { line: number })[] {
  return lines.flatMap((text, index) =>
    text.length < SHORTEST ? [] : read(text).map((found) => ({ line: index + 1, ...found }))
  );
}

function invisible(content: string): SkillFacts["invisible"]["items"] {
  let line = 1;
  let read = 0;
  return invisibleRuns(content).map(({ index, text }) => {
    line += content.slice(read, index).split(/\r\n|\r|\n/).length - 1;
    read = index;
    const characters = [...text];
    const decoded = decodeHidden(text);
    return {
      line,
      codePoints: [...new Set(characters)].slice(0, 16).map(codePoint),
      count: characters.length,
      decoded: decoded === null ? null : quoted(decoded),
    };
  });
}

/** An open code block. */
interface Fence {
  marks: string;
  shell: boolean;
  /** True if a line still belongs to the quote or list that the block began in. */
  holds(line: string): boolean;
}

function commands(lines: string[]): SkillFacts["commands"]["items"] {
  const found: SkillFacts["commands"]["items"] = [];
  let fence: Fence | null = null;
  lines.forEach((text, index) => {
    if (fence && !fence.holds(text)) fence = null;
    const [, ...mark] = (fence ? FENCE_END : FENCE).exec(text) ?? [];
    if (mark.length > 0 && (!fence || mark[0]!.startsWith(fence.marks))) {
      fence = fence ? null : openedBy(mark as [string, string, string]);
      return;
    }
    const known = new Set(fence ? fencedCommands(text, fence.shell) : proseCommands(text));
    for (const command of known) found.push({ line: index + 1, text: command });
  });
  return found;
}

function openedBy([container, marks, language]: [string, string, string]): Fence {
  const holds = container.includes(">")
    ? (line: string) => /^\s{0,12}>/.test(line)
    : container.trim() === ""
    ? () => true
    : (line: string) => line.search(/\S|$/) >= container.length || line.trim() === "";
  return { marks, shell: SHELLS.has(language.toLowerCase()), holds };
}

function fencedCommands(line: string, shell: boolean): string[] {
  const text = line.trim();
  const command = text.replace(PROMPT, "");
  if (command === "" || (command === text && SHELL_COMMENT.test(text))) return [];
  return shell || isCommand(command) ? [command] : [];
}

function proseCommands(line: string): string[] {
  if (line.length < SHORTEST) return [];
  const text = line.trim();
  const prompted = text.replace(PROMPT, "");
  if ((text.startsWith("$ ") || prompted === text) && isCommandLine(prompted)) return [prompted];
  const spans = [...line.matchAll(CODE_SPAN)].map((span) => span[1]!.trim().replace(PROMPT, ""));
  return [
    ...spans.filter(isCommand),
    ...[...line.replace(CODE_SPAN, " ").matchAll(PIPED_DOWNLOAD)].map((match) => match[0]),
  ];
}

/** A known program with something after it; a bare word such as `git` is a name, not a command. */
function isCommand(text: string): boolean {
  const [program = "", ...rest] = text.slice(0, 400).split(/\s+/);
  return rest.length > 0 && COMMANDS.has(program.toLowerCase());
}

/**
 * True if a whole line of prose is a command: like `isCommand`, but in lowercase, as programs are
 * written.
 */
function isCommandLine(text: string): boolean {
  return /^[a-z0-9-]+\s+\S/.test(text) && isCommand(text) &&
    /\s(?:--?\w|[./~]|\S*[|&<>$=@/])/.test(text);
}

function urls(line: string): { url: string; host: string }[] {
  return [...line.matchAll(URLS)].flatMap(({ 0: match }) => {
    const url = withoutTail(match);
    const hostname = URL.parse(url)?.hostname;
    return hostname ? [{ url, host: displayHost(hostname) }] : [];
  });
}

/**
 * An address without the punctuation of its sentence. A closing bracket stays if it closes one in
 * the address, as in IPv6.
 */
function withoutTail(match: string): string {
  const surplus = (closing: string, opening: string) =>
    match.split(closing).length - match.split(opening).length;
  const unopened = new Map([[")", surplus(")", "(")], ["]", surplus("]", "[")]]);
  let end = match.length;
  for (; URL_TAIL.includes(match[end - 1]!); end--) {
    const left = unopened.get(match[end - 1]!);
    if (left === undefined) continue;
    if (left <= 0) break;
    unopened.set(match[end - 1]!, left - 1);
  }
  return match.slice(0, end);
}

function secrets(line: string): Omit<SkillFacts["secrets"]["items"][number], "line">[] {
  const all = (pattern: RegExp) => {
    const texts = [...line.matchAll(pattern)].map(([text]) => text);
    return [...new Set(texts)];
  };
  return [
    ...all(SETTING_NAME).filter((name) => SECRET_WORD.test(name))
      .map((text) => ({ kind: "name" as const, text })),
    ...all(SECRET_FILE).map((text) => ({ kind: "file" as const, text })),
    ...all(SECRET_VALUE).map((text) => ({ kind: "value" as const, text: masked(text) })),
  ];
}

/** Frontmatter fields that let an agent do more without asking. */
const PERMISSION =
  /^\{?\s{0,9}["']?(allowed-tools|tools|permissions|permission-?mode|hooks)["']?\s{0,9}:(.*)$/i;
/** One item of a list, such as `Bash(git add:*)`. */
const PERMITTED = /[^\s,()[\]{}"']+(?:\([^()\n]{0,200}\))?/g;

/**
 * The permissions that the frontmatter asks for. It is read line by line: a client may read
 * frontmatter that a strict YAML parser refuses.
 */
function permissions(yaml: string): SkillFacts["permissions"]["items"] {
  const found: SkillFacts["permissions"]["items"] = [];
  let field: string | null = null;
  for (const [index, text] of yaml.split(/\r\n|\r|\n/).entries()) {
    const [, name, value] = PERMISSION.exec(text) ?? [];
    if (name !== undefined) field = name.toLowerCase();
    else if (!/^(?:\s|-\s|$)/.test(text)) field = null;
    if (field === null) continue;
    for (const [permitted] of (value ?? text).matchAll(PERMITTED)) {
      // Markers of lists and multiline text.
      if (!/^(?:[-|>]\W?|#.*)$/.test(permitted)) {
        found.push({ line: index + 2, text: `${field}: ${permitted}` });
      }
    }
  }
  return found;
}

/** Part of a credential: just enough to find it. */
function masked(value: string): string {
  return value.startsWith("-----") ? value : `${value.slice(0, 8)}… (${value.length} characters)`;
}
