import { expect, test } from 'vitest';
import { lastLine } from './tally.ts';
import { tallyOf } from './vitest-tally.ts';
import type { VitestReport } from './vitest-tally.ts';

const passing = { status: 'passed', assertionResults: [{ status: 'passed' }] };
const failing = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] };
const broken = { status: 'failed', assertionResults: [] };

test('the last line is the sum over all runners', () => {
  const tallies = [
    { name: 'lint', passed: 1, failed: 0 },
    { name: 'types', passed: 0, failed: 1 },
    { name: 'vitest', passed: 240, failed: 2 },
  ];
  expect(lastLine(tallies)).toBe('241 passed, 3 failed');
  expect(lastLine([])).toBe('0 passed, 0 failed');
});

const cases: [string, VitestReport | undefined, number, { passed: number; failed: number }][] = [
  ['all well', report(2, 0, [passing, passing]), 0, { passed: 2, failed: 0 }],
  ['failed tests', report(2, 1, [passing, failing]), 1, { passed: 2, failed: 1 }],
  ['a file that cannot be loaded', report(1, 0, [passing, broken]), 1, { passed: 1, failed: 1 }],
  ['both', report(2, 1, [failing, passing, broken]), 1, { passed: 2, failed: 2 }],
  ['an error outside of every test', report(2, 0, [passing, passing]), 1, { passed: 2, failed: 1 }],
  ['no tests at all', report(0, 0, []), 0, { passed: 0, failed: 1 }],
  ['a runner that crashed', undefined, 139, { passed: 0, failed: 1 }],
  ['a runner that ended well without a report', undefined, 0, { passed: 0, failed: 1 }],
];

test.for(cases)('%s', ([, given, exitCode, expected]) => {
  expect(tallyOf(given, exitCode)).toEqual({ name: 'vitest', ...expected });
});

function report(passed: number, failed: number, testResults: VitestReport['testResults']): VitestReport {
  return { numPassedTests: passed, numFailedTests: failed, testResults };
}
