import { expect, test } from 'vitest';
import { serverTests } from './server-tests.ts';

test('finds the tests that start servers', () => {
  const root = new URL('../..', import.meta.url).pathname;
  const include = ['packages/bus/src/*.test.ts', 'scripts/**/*.test.ts'];
  const found = serverTests({ include, exclude: ['scripts/distributed/**'], root });
  expect(found).toContain('packages/bus/src/nats.test.ts');
  expect(found).toContain('scripts/test/run-program.test.ts');
  expect(found).not.toContain('packages/bus/src/in-process.test.ts');
  expect(found.filter((file) => file.startsWith('scripts/distributed'))).toEqual([]);
});
