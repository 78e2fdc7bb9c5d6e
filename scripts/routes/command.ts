import { FileError } from '@tallyport/wire/yaml';
import { differences } from './compare.ts';
import { decide } from './decide.ts';
import { describeCase } from './report.ts';
import { readWorld } from './world.ts';

const routesUsage = `Usage: npm run routes -- test cases.yaml

  Plans the requests of the cases with the routes of a gateway document, and calls no provider.
  Exit code 1 if a case differs from what it expects, 2 if a file cannot be used. See docs/routing.md.
`;

interface Outputs {
  out(text: string): void;
  problem(text: string): void;
}

const cannotRun = 2;

/** `npm run routes -- test cases.yaml`: prints each case and returns the exit code. */
export async function routesCommand(words: readonly string[], { out, problem }: Outputs): Promise<number> {
  const [verb, file, ...rest] = words;
  if (verb !== 'test' || file === undefined || rest.length > 0) {
    problem(routesUsage);
    return cannotRun;
  }
  try {
    return await testCases(file, out);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    problem(`${error.message}\n`);
    return cannotRun;
  }
}

async function testCases(file: string, out: Outputs['out']): Promise<number> {
  const world = await readWorld(file);
  const cases = Object.entries(world.cases);
  let failed = 0;
  for (const [name, each] of cases) {
    const decision = await decide(each, world);
    const found = differences(each, decision);
    if (found.length > 0) failed++;
    out(describeCase(name, found, decision));
  }
  out(`\n${cases.length} cases, ${failed} failed.\n`);
  return failed === 0 ? 0 : 1;
}
