/**
 * What a user pastes to connect common clients to an MCP server at `url`, under the name `slug`: a
 * command, or the content of a settings file.
 */
export function mcpClientSnippets({ slug, url }: { slug: string; url: string }) {
  const json = (value: unknown) => JSON.stringify(value, null, 2);
  return [
    { label: "Claude Code", text: `claude mcp add --transport http ${slug} ${url}` },
    {
      label: "Claude Code, a project's .mcp.json",
      text: json({ mcpServers: { [slug]: { type: "http", url } } }),
    },
    { label: "Cursor, .cursor/mcp.json", text: json({ mcpServers: { [slug]: { url } } }) },
    {
      label: "VS Code, .vscode/mcp.json",
      text: json({ servers: { [slug]: { type: "http", url } } }),
    },
    {
      label: "Codex, ~/.codex/config.toml",
      text: `[mcp_servers.${slug}]\nurl = ${JSON.stringify(url)}`,
    },
    {
      label: "Gemini CLI, .gemini/settings.json",
      text: json({ mcpServers: { [slug]: { httpUrl: url } } }),
    },
    {
      label: "Any client, with curl",
      text: [
        `curl ${url} \\`,
        `  -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" \\`,
        `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | sed -n 's/^data: //p'`,
      ].join("\n"),
    },
  ];
}
