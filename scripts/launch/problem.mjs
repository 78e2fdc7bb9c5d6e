/** Something the person at the keyboard can act on: its message is one sentence and is all that is printed. */
export class Problem extends Error {}

/** Runs `step` and prints what went wrong in one sentence; never rejects. */
export async function reportProblems(step) {
  try {
    await step();
  } catch (error) {
    process.stderr.write(`${error instanceof Problem ? error.message : error?.stack}\n`);
    process.exitCode = 1;
  }
}
