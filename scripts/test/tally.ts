/** The counts of one runner. */
export interface Tally {
  name: string;
  passed: number;
  failed: number;
  /** What failed, a line for each, repeated at the end because runners print at the same time. */
  failures?: readonly string[];
}

export function sum(tallies: readonly Tally[]): { passed: number; failed: number } {
  return {
    passed: tallies.reduce((total, tally) => total + tally.passed, 0),
    failed: tallies.reduce((total, tally) => total + tally.failed, 0),
  };
}

/** The last line of `npm test`. Its form is fixed because other programs parse it. */
export function lastLine(tallies: readonly Tally[]): string {
  const { passed, failed } = sum(tallies);
  return `${passed} passed, ${failed} failed`;
}
