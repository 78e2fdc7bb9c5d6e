import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test/longest-first.ts';
import { serverTests } from './scripts/test/server-tests.ts';

/** Tests share a process per worker (ten times faster): they must leave nothing behind, which they must not anyway. */
const shared = {
  environment: 'node',
  pool: 'forks',
  isolate: false,
  // Optimising the embedded database costs more processor time than all its queries in the tests.
  execArgv: ['--liftoff-only'],
  // Node loads the sources, as in the services: an eighth less processor time than with Vite.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A busy machine may take seconds for what usually takes milliseconds.
  expect: { poll: { timeout: 20_000 } },
  // A failure that occurs once must be understood from its message.
  chaiConfig: { truncateThreshold: 1_000 },
} as const;

/** `npm test` divides the processors between its runs. */
const workers = (alone: number): number => Number(process.env['TEST_WORKERS'] ?? alone);

/** These tests spend their time waiting for deadlines, so `npm test` runs them beside the others. */
const waiting = ['tests/bus/**/*.test.ts', 'tests/money/**/*.test.ts'];

/** These follow the documents. `npm test` runs them with the waiting ones, which together take as long as the others. */
const documents = ['tests/docs/**/*.test.ts'];

/** In `npm test`, the files whose turn it is not: see `scripts/test/turns.ts`. */
const resting = (process.env['TEST_LEFT_FILES'] ?? '').split(',').filter(Boolean);

/** The tests of single packages, services and scripts. */
const parts = ['{packages,services,bench}/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}', 'tests/support/**/*.test.ts'];
const notParts = ['**/node_modules/**', 'scripts/distributed/**', ...resting];
const withServers = serverTests({ include: parts, exclude: notParts, root: import.meta.dirname });

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: parts,
          exclude: [...notParts, ...withServers],
          // More than the two processors that CI has: these tests wait half of their time. Each worker loads all sources:
          // three workers need an eighth less CPU, and a fifth more time.
          maxWorkers: workers(5),
          testTimeout: 40_000,
          hookTimeout: 40_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'servers',
          include: withServers,
          maxWorkers: workers(3),
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'system',
          include: ['tests/**/*.test.ts', 'scripts/distributed/**/*.test.ts'],
          exclude: ['tests/structure/**', 'tests/support/**', ...documents, ...waiting, ...resting],
          maxWorkers: workers(3),
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          // Together with the tests of parts: these are short, so that all workers end at the same time.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'documents',
          include: documents,
          exclude: resting,
          maxWorkers: workers(3),
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'waiting',
          include: waiting,
          exclude: resting,
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'structure',
          include: ['tests/structure/**/*.test.ts'],
          maxWorkers: workers(3),
          testTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
