/** Whether a program of this machine runs and succeeds; false also where there is no such program. */
export async function succeeds(program: string, ...args: string[]): Promise<boolean> {
  try {
    // A program that is not there throws before there is a promise.
    const { success } = await new Deno.Command(program, { args, stderr: "null", stdout: "null" })
      .output();
    return success;
  } catch {
    return false;
  }
}
