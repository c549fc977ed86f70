import type { PublicSkill } from "../lib/skills/schema.ts";
import { Snippet } from "./Snippet.tsx";

/** The commands to install a skill, for copying. */
export function InstallCommands({ install }: Pick<PublicSkill, "install">) {
  return (
    <div class="snippets">
      <Snippet label="Download with curl" text={install.command} />
      {install.npx && <Snippet label="With the skills CLI" text={install.npx} />}
    </div>
  );
}
