export { handler } from "@/routes/skills/[slug]/.well-known/agent-skills/index.json.ts";
