import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test/longest-first.ts';
import { serverTests } from './scripts/test/server-tests.ts';
import { patient } from './tests/support/patience.ts';

/**
 * How long a test, a hook and a wait may take before they count as hung. Tests have no deadlines of their own: what takes
 * a second takes minutes on a machine that does much else, and only what never ends is a failure.
 */
const hungAfterMs = patient(180_000);

/** Tests share a process per worker (ten times faster): they must leave nothing behind, which they must not anyway. */
const shared = {
  environment: 'node',
  pool: 'forks',
  isolate: false,
  // Optimising the embedded database costs more processor time than all its queries in the tests.
  execArgv: ['--liftoff-only'],
  // Node loads the sources, as in the services: an eighth less processor time than with Vite.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  testTimeout: hungAfterMs,
  hookTimeout: hungAfterMs,
  expect: { poll: { timeout: hungAfterMs / 3 } },
  // A failure that occurs once must be understood from its message.
  chaiConfig: { truncateThreshold: 1_000 },
} as const;

/** `npm test` divides the processors between its runs. */
const workers = (alone: number): number => Number(process.env['TEST_WORKERS'] ?? alone);

/** The tests of `npm run test:long`. */
const long = '**/*.long.test.{ts,mjs}';

/** The tests of single packages, services and scripts. */
const parts = ['{packages,services,bench}/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}', 'tests/support/**/*.test.ts'];
const notParts = ['**/node_modules/**', long];
const withServers = serverTests({ include: parts, exclude: notParts, root: import.meta.dirname });

const startsServers = { globalSetup: ['tests/support/global-setup.ts'] };

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
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          ...startsServers,
          name: 'servers',
          include: withServers,
          maxWorkers: workers(3),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          ...startsServers,
          name: 'system',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/structure/**', 'tests/support/**', long],
          maxWorkers: workers(3),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          ...startsServers,
          name: 'long',
          include: [long],
          exclude: ['**/node_modules/**'],
          // Each of them starts many processes or fills the memory.
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
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
