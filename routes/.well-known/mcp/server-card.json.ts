export { handler } from "@/routes/api/mcp/server-card.ts";
