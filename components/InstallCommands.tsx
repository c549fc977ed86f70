import type { PublicSkill } from "../lib/skills/schema.ts";
import { Snippet } from "./Snippet.tsx";

/** The commands to install a skill, for copying. */
export function InstallCommands({ install }: Pick<PublicSkill, "install">) {
  return (
    <>
      <Snippet label="Download with curl" text={install.command} />
      {install.npx && (
        <details>
          <summary>Install with the skills CLI</summary>
          <Snippet label="Command" text={install.npx} />
        </details>
      )}
    </>
  );
}
