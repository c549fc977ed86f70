import type { PublicSkill } from "../lib/skills/schema.ts";
import { Snippet } from "./Snippet.tsx";

/** The commands that install a skill, to be copied. */
export function InstallCommands({ install }: Pick<PublicSkill, "install">) {
  return (
    <>
      <Snippet label="Download from the command line" text={install.command} />
      {install.npx && <Snippet label="With the skills client" text={install.npx} />}
    </>
  );
}
