import { assert } from "@std/assert";
import { createPatch } from "diff";

/**
 * Compares text with the file that records it, which `write` updates instead. A failure shows what
 * differs, and the command that updates the file.
 */
export async function assertRecorded(
  actual: string,
  { file, write, update }: { file: URL; write: boolean; update: string },
): Promise<void> {
  if (write) return await Deno.writeTextFile(file, actual);
  const recorded = await Deno.readTextFile(file);
  const patch = () => createPatch(file.pathname, recorded, actual, "", "", { context: 1 });
  assert(recorded === actual, `${patch()}\nIf this is meant, run: ${update}`);
}
