import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { lastLine } from './tally.ts';
import { tallyOf } from './vitest-tally.ts';
import type { VitestReport } from './vitest-tally.ts';

const passed = { status: 'passed', fullName: 'adds' };
const failed = { status: 'failed', fullName: 'divides', failureMessages: ['Error: 1 is not 2'] };
const passing = { name: resolve('a.test.ts'), status: 'passed', assertionResults: [passed] };
const failing = { name: resolve('b.test.ts'), status: 'failed', assertionResults: [failed, passed] };
const broken = { name: resolve('c.test.ts'), status: 'failed', message: 'no such module', assertionResults: [] };

test('the last line sums up all runners', () => {
  const tallies = [
    { name: 'lint', passed: 1, failed: 0 },
    { name: 'types', passed: 0, failed: 1 },
    { name: 'vitest', passed: 240, failed: 2 },
  ];
  expect(lastLine(tallies)).toBe('241 passed, 3 failed');
  expect(lastLine([])).toBe('0 passed, 0 failed');
});

const failedTest = 'b.test.ts > divides: Error: 1 is not 2';
const brokenFile = 'c.test.ts: no such module';

const cases: [string, VitestReport | undefined, number, { passed: number; failures: string[] }][] = [
  ['all tests pass', report(2, [passing, passing]), 0, { passed: 2, failures: [] }],
  ['failed tests', report(2, [passing, failing]), 1, { passed: 2, failures: [failedTest] }],
  ['a file that cannot be loaded', report(1, [passing, broken]), 1, { passed: 1, failures: [brokenFile] }],
  ['both', report(2, [failing, passing, broken]), 1, { passed: 2, failures: [failedTest, brokenFile] }],
  [
    'an error outside of every test',
    report(2, [passing, passing]),
    1,
    { passed: 2, failures: ['an error outside of every test, see the output above'] },
  ],
  ['no tests at all', report(0, []), 0, { passed: 0, failures: ['no test ran'] }],
  ['a runner that crashed', undefined, 139, { passed: 0, failures: ['vitest left no report, exit code 139'] }],
  [
    'a runner that ended with code 0 but without a report',
    undefined,
    0,
    { passed: 0, failures: ['vitest left no report, exit code 0'] },
  ],
];

test.for(cases)('%s', ([, given, exitCode, expected]) => {
  expect(tallyOf(given, exitCode)).toEqual({ name: 'vitest', failed: expected.failures.length, ...expected });
});

function report(numPassedTests: number, testResults: VitestReport['testResults']): VitestReport {
  return { numPassedTests, testResults };
}
