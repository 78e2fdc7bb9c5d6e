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
  /** The gateway's figure divided by the floor's. */
  ratio?: number;
  goal?: string;
  /** Absent if there is no goal, or if a value it needs is missing. */
  met?: boolean;
}

interface Figures {
  gateway: number;
  floor: number;
  ratio: number;
}

interface Goal {
  text: string;
  met(figures: Figures): boolean;
}

export const atMostTimesFloor = (factor: number): Goal => ({
  text: `≤ ${factor} × floor`,
  met: ({ ratio }) => ratio <= factor,
});

export const atMostAboveFloor = (margin: number, unit: string): Goal => ({
  text: `≤ floor + ${margin} ${unit}`,
  met: ({ gateway, floor }) => gateway <= floor + margin,
});

export const atMost = (limit: number, unit: string): Goal => ({
  text: `≤ ${limit} ${unit}`,
  met: ({ gateway }) => gateway <= limit,
});

export const atLeastTimesFloor = (factor: number): Goal => ({
  text: `≥ ${factor} × floor`,
  met: ({ ratio }) => ratio >= factor,
});

export const atLeast = (limit: number): Goal => ({
  text: `≥ ${limit}`,
  met: ({ gateway }) => gateway >= limit,
});

/**
 * A row with the medians of the rounds. The ratio is the median of the ratios of each round: a machine whose speed
 * changes within a run changes both figures of a round.
 */
export function row<Result>(
  measure: string,
  results: BySystem<Result[]>,
  { value, goal }: { value: (result: Result) => number; goal?: Goal },
): Row {
  const figures = mapSystems(results, (list) => list.map(value));
  const { gateway = [], floor = [] } = figures;
  const ratios = gateway.map((figure, round) => figure / (floor[round] ?? NaN)).filter(Number.isFinite);
  return rowOf(measure, {
    values: mapSystems(figures, median),
    ratio: ratios.length === 0 ? NaN : median(ratios),
    goal,
  });
}

/** A row with the difference of each system to the direct figure. */
export function addedRow(plain: Row, measure: string, goal?: Goal): Row {
  const { direct = 0, ...others } = plain.values;
  const values = mapSystems(others, (figure) => figure - direct);
  const { gateway = NaN, floor = NaN } = values;
  return rowOf(measure, { values, ratio: gateway / floor, goal });
}

interface RowValues {
  values: BySystem<number>;
  ratio: number;
  goal: Goal | undefined;
}

function rowOf(measure: string, { values, ratio, goal }: RowValues): Row {
  const { floor, gateway } = values;
  const line: Row = { measure, values, ...(goal && { goal: goal.text }) };
  if (gateway === undefined || floor === undefined) return line;
  return {
    ...line,
    ...(Number.isFinite(ratio) && { ratio }),
    ...(goal && { met: goal.met({ gateway, floor, ratio }) }),
  };
}

function mapSystems<Value, Result>(values: BySystem<Value>, map: (value: Value) => Result): BySystem<Result> {
  const entries = Object.entries(values) as [System['name'], Value][];
  return Object.fromEntries(entries.map(([name, value]) => [name, map(value)]));
}
