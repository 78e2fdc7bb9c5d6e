import { mkdir, writeFile } from 'node:fs/promises';
import type { CaseResult, Row } from './cases/case.ts';
import type { Machine } from './measure/machine.ts';

export interface Outcome {
  id: string;
  title: string;
  result?: CaseResult;
  /** Failed requests, or the reason why the case has no result. */
  problems: readonly string[];
  /** Cores kept busy by other programs, per measurement. */
  othersCores: readonly number[];
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
    line([`**${id}** ${title}`, ...Array<string>(6).fill('')]),
    ...(result?.rows ?? []).map((row) => line(cells(row, problems))),
    ...problems.map((problem) => line([`problem: ${problem}`, ...Array<string>(5).fill(''), 'no'])),
  ]);
  return [
    line(['', 'direct', 'floor', 'gateway', 'ratio', 'goal', 'met']),
    line(['---', '--:', '--:', '--:', '--:', '---', '---']),
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

function cells({ measure, direct, floor, gateway, goal = '', met }: Row, problems: readonly string[]): string[] {
  const ratio = floor && gateway !== undefined ? `${(gateway / floor).toFixed(2)} ×` : '';
  const verdict = met === undefined ? '' : met && problems.length === 0 ? 'yes' : 'no';
  return [measure, figure(direct), figure(floor), figure(gateway), ratio, goal, verdict];
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
