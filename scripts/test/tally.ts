/** What one runner counted. */
export interface Tally {
  name: string;
  passed: number;
  failed: number;
}

export function sum(tallies: readonly Tally[]): { passed: number; failed: number } {
  return {
    passed: tallies.reduce((total, tally) => total + tally.passed, 0),
    failed: tallies.reduce((total, tally) => total + tally.failed, 0),
  };
}

/** The last line of `npm test`. Other programs read it: its form is fixed. */
export function lastLine(tallies: readonly Tally[]): string {
  const { passed, failed } = sum(tallies);
  return `${passed} passed, ${failed} failed`;
}
