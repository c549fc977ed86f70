import type { ComponentChildren } from "preact";
import { accentOfFamily, type FamilyId } from "../lib/catalog/ai_families.ts";
import { Tile } from "./Tile.tsx";

/** An agent or an AI with its tile, in its family's color, followed by its details. */
export function Who(
  { name, family, children }: { name: string; family: FamilyId; children?: ComponentChildren },
) {
  return (
    <span class="who">
      <Tile name={name} accent={accentOfFamily(family)} size="small" />{" "}
      <span>
        <span dir="auto">{name}</span>
        {children}
      </span>
    </span>
  );
}
