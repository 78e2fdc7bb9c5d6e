import type { Bench, BySystem } from '../bench.ts';
import { median } from '../measure/stats.ts';

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
  direct?: number;
  floor?: number;
  gateway?: number;
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
  const medianOf = (list: Result[] | undefined): number | undefined => list && median(list.map(value));
  return rowWithGoal(measure, {
    values: { direct: medianOf(results.direct), floor: medianOf(results.floor), gateway: medianOf(results.gateway) },
    goal,
  });
}

/** A row with the difference of each system to the direct figure. */
export function addedRow(plain: Row, measure: string, goal?: Goal): Row {
  const { direct = 0, floor, gateway } = plain;
  const values = {
    floor: floor === undefined ? undefined : floor - direct,
    gateway: gateway === undefined ? undefined : gateway - direct,
  };
  return rowWithGoal(measure, { values, goal });
}

interface RowValues {
  values: Record<string, number | undefined>;
  goal: Goal | undefined;
}

function rowWithGoal(measure: string, { values, goal }: RowValues): Row {
  const { direct, floor, gateway } = values;
  const known = { ...(direct !== undefined && { direct }), ...(floor !== undefined && { floor }) };
  const line: Row = { measure, ...known, ...(gateway !== undefined && { gateway }), ...(goal && { goal: goal.text }) };
  if (!goal || gateway === undefined || floor === undefined) return line;
  return { ...line, met: goal.met(gateway, floor) };
}
