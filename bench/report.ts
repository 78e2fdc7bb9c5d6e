import { mkdir, writeFile } from 'node:fs/promises';
import type { CaseResult, Row } from './cases/case.ts';
import type { Machine } from './measure/machine.ts';
import { systemNames } from './system.ts';
import type { System } from './system.ts';

export interface Outcome {
  id: string;
  title: string;
  result?: CaseResult;
  /** Failed requests, or the reason why the case has no result. */
  problems: readonly Problem[];
  /** Cores kept busy by other programs, per measurement. */
  othersCores: readonly number[];
}

export interface Problem {
  /** Absent if the whole case failed. */
  system?: System['name'];
  text: string;
}

export interface Report {
  startedAt: string;
  seconds: number;
  quick: boolean;
  machine: Machine;
  outcomes: readonly Outcome[];
}

export function renderTable(outcomes: readonly Outcome[]): string {
  const lines = outcomes.flatMap(({ id, title, result, problems }) => [
    line([`**${id}** ${title}`, ...emptyCells, '']),
    ...(result?.rows ?? []).map((row) => line(cells(row, problems))),
    ...problems.map((problem) =>
      line([`problem: ${describeProblem(problem)}`, ...emptyCells, isOurs(problem) ? 'no' : '']),
    ),
  ]);
  return [
    line(['', ...systemNames, 'ratio', 'goal', 'met']),
    line(['---', ...systemNames.map(() => '--:'), '--:', '---', '---']),
    ...lines,
  ].join('\n');
}

export function renderMachine({ machine, seconds, quick, startedAt }: Report): string {
  const { processor, cores, memoryGib, kernel, node, nats } = machine;
  const hardware = `${processor}, ${cores} cores, ${memoryGib} GiB, Linux ${kernel}`;
  return `${startedAt.slice(0, 10)}${quick ? ', quick' : ''}: ${hardware}; Node ${node}, ${nats}; ${Math.round(seconds)} s.`;
}

/** Reports CPU use by other programs. Up to a tenth of a core is normal background activity. */
export function renderNoise(outcomes: readonly Outcome[]): string {
  const all = outcomes.flatMap((outcome) => outcome.othersCores);
  const cores = all.reduce((total, each) => total + each, 0) / Math.max(1, all.length);
  if (cores <= 0.1) return 'No other program used the machine.';
  return `Other programs kept ${cores.toFixed(1)} cores busy: CPU and memory figures are reliable, latencies are not.`;
}

/** Writes the report as JSON and returns the path of the file. */
export async function writeReport(report: Report, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = `${folder}/${report.startedAt.replaceAll(/[:.]/g, '-')}.json`;
  await writeFile(path, JSON.stringify(report, undefined, 2));
  return path;
}

/** Between the first column and the last. */
const emptyCells = Array<string>(systemNames.length + 2).fill('');

export const describeProblem = ({ system, text }: Problem): string =>
  system === undefined ? text : `${system}: ${text}`;

/** A fault of the peer does not count against the gateway. */
const isOurs = ({ system }: Problem): boolean => system !== 'peer';

function cells({ measure, values, ratio, goal = '', met }: Row, problems: readonly Problem[]): string[] {
  const times = ratio === undefined ? '' : `${ratio.toFixed(2)} ×`;
  const verdict = met === undefined ? '' : met && !problems.some(isOurs) ? 'yes' : 'no';
  return [measure, ...systemNames.map((name) => figure(values[name])), times, goal, verdict];
}

/** Three significant digits; whole numbers from 100 on. */
function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '';
  const magnitude = Math.abs(value);
  if (magnitude >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(magnitude >= 10 ? 1 : 2);
}

function line(values: readonly string[]): string {
  return `| ${values.join(' | ')} |`;
}
