import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestEvent } from './progress.ts';
import { runNode } from './run-program.ts';
import type { Tally } from './tally.ts';

interface VitestRun {
  args: readonly string[];
  environment?: Record<string, string>;
  /** Receives the progress, which Vitest shows itself otherwise. */
  onEvent?(event: TestEvent): void;
  signal?: AbortSignal;
}

/** Enough for the reason of a failure and the place in the test. */
const maxMessageLength = 1_500;

/** The part of vitest's JSON report that is used. */
export interface VitestReport {
  numPassedTests: number;
  testResults: VitestFile[];
}

interface VitestFile {
  name: string;
  status: string;
  message?: string;
  assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
}

/**
 * Runs vitest and counts its tests. A crash, a file that cannot be loaded and a run without tests count as failures.
 */
export async function runVitest({ args, environment, onEvent, signal }: VitestRun): Promise<Tally> {
  // All temporary files of the run are in one folder, removed afterwards even if a test was killed.
  const directory = await mkdtemp(join(tmpdir(), 'test-'));
  // Postgres refuses to run as root, so it runs as another user, which needs access.
  await chmod(directory, 0o755);
  const file = join(directory, 'report.json');
  const shown = onEvent === undefined ? 'default' : fileURLToPath(new URL('progress-reporter.ts', import.meta.url));
  const reporters = [`--reporter=${shown}`, '--reporter=json', `--outputFile.json=${file}`];
  try {
    const command = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args];
    const { code } = await runNode(command, {
      output: 'shown',
      environment: { ...environment, TMPDIR: directory },
      onMessage: onEvent,
      signal,
    });
    return tallyOf(await readReport(file), code);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export function tallyOf(report: VitestReport | undefined, exitCode: number): Tally {
  const name = 'vitest';
  if (!report) return { name, passed: 0, failed: 1, failures: [`vitest left no report, exit code ${exitCode}`] };
  const failures = report.testResults.filter(({ status }) => status === 'failed').flatMap(failuresOf);
  // An error outside of every test, for example an unhandled rejection, shows only in the exit code.
  if (failures.length === 0 && exitCode !== 0) failures.push('an error outside of every test, see the output above');
  if (failures.length === 0 && report.numPassedTests === 0) failures.push('no test ran');
  return { name, passed: report.numPassedTests, failed: failures.length, failures };
}

/** The failed tests of a file, or the file itself if it could not be loaded. */
function failuresOf({ name, message, assertionResults }: VitestFile): string[] {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return [describeFailure(file, message)];
  return failed.map(({ fullName, failureMessages }) => describeFailure(`${file} > ${fullName}`, failureMessages?.[0]));
}

const describeFailure = (what: string, message = ''): string => `${what}: ${message.slice(0, maxMessageLength)}`;

async function readReport(file: string): Promise<VitestReport | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
