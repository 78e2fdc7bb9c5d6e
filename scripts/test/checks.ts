import { availableParallelism } from 'node:os';
import { runNode } from './run-program.ts';
import type { Tally } from './tally.ts';

/** Node arguments by the name of the check. */
type Checks = Readonly<Record<string, readonly string[]>>;

/**
 * Each checker of the compiler works out the types that files share again: its default of four instantiates 2.2 times as
 * many as one does. A checker for every second processor leaves the others to the checks beside it.
 */
const checkers = Math.ceil(availableParallelism() / 2);

/** What `npm run check` runs. Each counts as one test. */
export const quickChecks: Checks = {
  lint: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'],
  types: ['node_modules/typescript/bin/tsc', '-b', '--checkers', String(checkers)],
  format: ['node_modules/oxfmt/bin/oxfmt', '--check'],
  structure: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'structure'],
};

/** `npm test` also runs the rules that need types, about promises and switches: they cost as much as the compiler. */
export const allChecks: Checks = {
  ...quickChecks,
  'lint with types': [
    'node_modules/oxlint/bin/oxlint',
    '--deny-warnings',
    '--type-aware',
    '--config',
    '.oxlintrc.types.json',
  ],
};

/** Runs these checks in parallel. Prints one line for each, and the whole output of a failed one. */
export async function runChecks(checks: Checks, signal?: AbortSignal): Promise<Tally[]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, args]): Promise<Tally> => {
      const startedAt = performance.now();
      const { code, output } = await runNode(args, { output: 'kept', signal });
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(code === 0 ? `${name}: passed (${seconds} s)` : `${name}: FAILED\n${output.trimEnd()}`);
      return code === 0 ? { name, passed: 1, failed: 0 } : { name, passed: 0, failed: 1 };
    }),
  );
}
