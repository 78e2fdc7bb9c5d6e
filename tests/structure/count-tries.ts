import { relative } from 'node:path';
import { createVitest, type TestCase } from 'vitest/node';
import { type HostileTests, hostileTests } from './hostile-tests.ts';
import { root } from './sources.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** How many tries a test makes, if it is not one: `test('…', { meta: { tries: 150 } }, …)`. */
    tries?: number;
  }
}

// A program, because vitest cannot collect files in a process that already runs tests: collects the hostile tests without
// running them, and prints how many tries each area has.

// All inputs.
process.env['TEST_SCALE'] = 'whole';

const files = [...new Set(Object.values(hostileTests).flatMap((tests) => tests.map(({ file }) => file)))];
const testsOf = await collect(files);
const counts = Object.entries(hostileTests).map(([area, tests]) => [
  area,
  tests.reduce((sum, each) => sum + triesOf(each), 0),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(counts)), () => process.exit(0));

async function collect(paths: string[]): Promise<Map<string, TestCase[]>> {
  const vitest = await createVitest({
    root,
    // The projects of the configuration would start servers, which only a run needs.
    config: false,
    include: paths,
    run: true,
    watch: false,
    reporters: [],
    pool: 'forks',
    // One worker loads the sources once, as Node does.
    isolate: false,
    maxWorkers: 1,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  });
  const { testModules, unhandledErrors } = await vitest.collect(paths, { staticParse: false });
  const failed = [...unhandledErrors, ...testModules.flatMap((module) => module.errors())];
  if (failed.length > 0) throw new AggregateError(failed, 'Not all hostile tests could be read.');
  return new Map(testModules.map((module) => [relative(root, module.moduleId), [...module.children.allTests()]]));
}

function triesOf({ file, title = /(?:)/ }: HostileTests): number {
  const found = (testsOf.get(file) ?? []).filter(({ fullName }) => title.test(fullName));
  if (found.length === 0) throw new Error(`No test of ${file} has a title like ${String(title)}.`);
  return found.reduce((sum, test) => sum + (test.meta().tries ?? 1), 0);
}
