import type { Bench, BySystem } from '../bench.ts';
import { median } from '../measure/stats.ts';
import type { System } from '../system.ts';

export interface Case {
  id: string;
  title: string;
  /** Restarts the systems before the case, so that its memory figures do not include earlier cases. */
  fresh?: boolean;
  limitMs: number;
  run(bench: Bench): Promise<CaseResult>;
}

export interface CaseResult {
  rows: Row[];
  /** All measurements, for the JSON file. */
  detail: unknown;
}

/** One line of the table. */
export interface Row {
  measure: string;
  values: BySystem<number>;
  goal?: string;
  /** Absent if there is no goal, or if a value it needs is missing. */
  met?: boolean;
}

export interface Goal {
  text: string;
  met(gateway: number, floor: number): boolean;
}

export const atMostTimesFloor = (factor: number): Goal => ({
  text: `≤ ${factor} × floor`,
  met: (gateway, floor) => gateway <= factor * floor,
});

export const atMostAboveFloor = (margin: number, unit: string): Goal => ({
  text: `≤ floor + ${margin} ${unit}`,
  met: (gateway, floor) => gateway <= floor + margin,
});

export const atMost = (limit: number, unit: string): Goal => ({
  text: `≤ ${limit} ${unit}`,
  met: (gateway) => gateway <= limit,
});

export const atLeastTimesFloor = (factor: number): Goal => ({
  text: `≥ ${factor} × floor`,
  met: (gateway, floor) => gateway >= factor * floor,
});

export const atLeast = (limit: number): Goal => ({ text: `≥ ${limit}`, met: (gateway) => gateway >= limit });

/** A row with the median of the rounds of every system. */
export function row<Result>(
  measure: string,
  results: BySystem<Result[]>,
  { value, goal }: { value: (result: Result) => number; goal?: Goal },
): Row {
  return rowWithGoal(measure, { values: mapSystems(results, (list) => median(list.map(value))), goal });
}

/** A row with the difference of each system to the direct figure. */
export function addedRow(plain: Row, measure: string, goal?: Goal): Row {
  const { direct = 0, ...others } = plain.values;
  return rowWithGoal(measure, { values: mapSystems(others, (figure) => figure - direct), goal });
}

interface RowValues {
  values: BySystem<number>;
  goal: Goal | undefined;
}

function rowWithGoal(measure: string, { values, goal }: RowValues): Row {
  const { floor, gateway } = values;
  const line: Row = { measure, values, ...(goal && { goal: goal.text }) };
  if (!goal || gateway === undefined || floor === undefined) return line;
  return { ...line, met: goal.met(gateway, floor) };
}

function mapSystems<Value, Result>(values: BySystem<Value>, map: (value: Value) => Result): BySystem<Result> {
  const entries = Object.entries(values) as [System['name'], Value][];
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value)]));
}
