import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNode } from './run-program.ts';
import type { Tally } from './tally.ts';

export interface VitestRun {
  args: readonly string[];
  environment: Record<string, string>;
  signal?: AbortSignal;
}

/** The part of vitest's JSON report that is read. */
export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
}

/** Runs vitest and counts its tests. A crash, a file that cannot be loaded and a run without tests are failures, too. */
export async function runVitest({ args, environment, signal }: VitestRun): Promise<Tally> {
  // All temporary files of the run are in one folder, which goes with it, whatever a killed test left there.
  const directory = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  // A database that refuses root runs as another user, which has to get through.
  await chmod(directory, 0o755);
  const file = join(directory, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  try {
    const command = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args];
    const { code } = await runNode(command, {
      output: 'shown',
      environment: { ...environment, TMPDIR: directory },
      signal,
    });
    return tallyOf(await readReport(file), code);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export function tallyOf(report: VitestReport | undefined, exitCode: number): Tally {
  const name = 'vitest';
  if (!report) return { name, passed: 0, failed: 1 };
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  // An error outside of every test, such as an unhandled rejection, shows in the exit code only.
  const unexplained = failed === 0 && (exitCode !== 0 || report.numPassedTests === 0);
  return { name, passed: report.numPassedTests, failed: failed + (unexplained ? 1 : 0) };
}

async function readReport(file: string): Promise<VitestReport | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
