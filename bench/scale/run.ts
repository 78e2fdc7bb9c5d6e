import { createUndo } from '../support/undo.ts';
import { costAt, growthBetween, limitOf, type Point } from './curve.ts';
import { type Gateway, gatewayOf, target } from './gateway.ts';
import type { Mechanism, Setting } from './mechanism.ts';

/** A measured mechanism, and what follows from its figures. */
export interface Curve extends Pick<Mechanism, 'name' | 'title' | 'unit' | 'payer'> {
  points: readonly Point[];
  /** The load at some sizes, in cores. */
  loads: readonly { edges: number; cores: number }[];
  /** The largest gateway, in edges, whose load is at most one core; `most` if there is none beyond. */
  limit: number;
  /** The power of the gateway's size with which the load grows at the target. */
  growth: number;
}

export const most = 100_000;

interface Running extends Setting {
  onMeasured?(curve: Curve): void;
}

export async function runMechanisms(chosen: readonly Mechanism[], setting: Running): Promise<Curve[]> {
  const curves: Curve[] = [];
  for (const mechanism of chosen) {
    const undo = createUndo();
    setting.undo.add(undo.all);
    const { mostReplicas = Infinity } = mechanism;
    const sizes = setting.sizes.filter((size) => size <= mostReplicas);
    const curve = curveOf(mechanism, await mechanism.measure({ ...setting, sizes, undo }));
    curves.push(curve);
    setting.onMeasured?.(curve);
    await undo.all();
  }
  return curves;
}

export function curveOf(mechanism: Mechanism, points: readonly Point[]): Curve {
  const { name, title, unit, payer } = mechanism;
  const coresAt = (edges: number): number => coresOf(mechanism, points, gatewayOf(edges));
  return {
    name,
    title,
    unit,
    payer,
    points,
    loads: [1, 10, 100, 1_000].map((edges) => ({ edges, cores: coresAt(edges) })),
    limit: limitOf(coresAt, most),
    growth: growthBetween(coresAt, target / 2, target),
  };
}

/** The cost of a unit at this many replicas, times the units of a second. */
function coresOf({ replicasOf, unitsPerSecond }: Mechanism, points: readonly Point[], gateway: Gateway): number {
  return (costAt(points, replicasOf(gateway)) * unitsPerSecond(gateway)) / 1e6;
}
