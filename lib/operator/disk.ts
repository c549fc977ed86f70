import { inOneLine } from "../errors.ts";

/** With fewer free bytes than this, the disk is nearly full. */
const FREE_MIN = 500_000_000;

/**
 * A sentence about what is wrong with a disk, or null. `free` returns its free bytes (null if there
 * is no disk).
 */
export async function diskProblem(free: () => Promise<number | null>): Promise<string | null> {
  try {
    if ((await free() ?? Infinity) >= FREE_MIN) return null;
    return "The database disk has less than 500 MB free";
  } catch (error) {
    const reason = error instanceof Deno.errors.NotCapable
      ? "the server needs --allow-sys=statfs"
      : inOneLine(error);
    return `Free disk space is unknown: ${reason}`;
  }
}
