/** Runs with a new folder, and removes it with everything in it. */
export async function inFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    return await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
