/** True if a program on this machine runs and succeeds; false if it doesn't exist. */
export async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  try {
    // A missing program throws before there is a promise.
    const { success } = await new Deno.Command(program, { args, stderr: "null", stdout: "null" })
      .output();
    return success;
  } catch {
    return false;
  }
}
