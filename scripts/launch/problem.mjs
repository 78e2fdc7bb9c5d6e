/** An error that the user can fix. Only its message is printed, without a stack. */
export class Problem extends Error {}

/** Runs `step`. Prints its error, if any, and sets the exit code to 1; never rejects. */
export async function reportProblems(step) {
  try {
    await step();
  } catch (error) {
    process.stderr.write(`${error instanceof Problem ? error.message : error?.stack}\n`);
    process.exitCode = 1;
  }
}
