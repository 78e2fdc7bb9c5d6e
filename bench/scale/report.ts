import { mkdir, writeFile } from 'node:fs/promises';
import type { Machine } from '../measure/machine.ts';
import { type Curve, most } from './run.ts';

export interface Results {
  startedAt: string;
  quick: boolean;
  machine: Machine;
  curves: readonly Curve[];
}

export function renderTable(curves: readonly Curve[]): string {
  const head = ['mechanism', 'unit', 'µs measured, by replicas', 'cores at 1, 10, 100, 1,000 edges', 'growth', 'limit'];
  const rows = curves.map(({ title, unit, payer, points, loads, growth, limit }) => [
    title,
    unit,
    points.map(({ replicas, micros }) => `${replicas}: ${figure(micros)}`).join(', '),
    `${payer}: ${loads.map(({ cores }) => figure(cores)).join(', ')}`,
    growth.toFixed(1),
    limit === most ? 'none' : `${limit} edges`,
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const figure = (value: number): string => String(Number(value.toPrecision(2)));

/** Returns the path of the file. */
export async function writeResults(results: Results, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = `${folder}/scale-${results.startedAt.replaceAll(/[:.]/g, '-')}.json`;
  await writeFile(path, JSON.stringify(results, undefined, 2));
  return path;
}
