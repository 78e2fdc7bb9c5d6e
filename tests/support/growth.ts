/** Far from 1, the growth of linear work, and from 16, that of quadratic work. */
export const highestGrowth = 5;

const times = 16;
const trials = 10;

/**
 * How many times longer work takes on one input than on 16 inputs of a sixteenth of its length. A limit in milliseconds
 * would depend on the machine and on what else it does. Returns the least of several trials, because other load only adds
 * to a time.
 */
export function growthOf<Input>(
  work: (input: Input) => unknown,
  inputOf: (length: number) => Input,
  length: number,
): number {
  const [piece, whole] = [inputOf(length / times), inputOf(length)];
  const workOnPieces = (): void => {
    for (let count = 0; count < times; count += 1) work(piece);
  };
  // Otherwise the first trial would measure compilation.
  workOnPieces();
  let least = Infinity;
  for (let trial = 0; trial < trials && least > highestGrowth; trial += 1) {
    const pieces = millisecondsOf(workOnPieces);
    least = Math.min(least, millisecondsOf(() => void work(whole)) / pieces);
  }
  return least;
}

function millisecondsOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
