import type { Undo } from '../support/undo.ts';
import type { Point } from './curve.ts';
import type { Gateway } from './gateway.ts';

/** Something whose work may grow faster than the load. */
export interface Mechanism {
  name: string;
  /** What is measured, and what one unit of it is. */
  title: string;
  unit: string;
  /** What does the work; the load is a share of one core of it. */
  payer: string;
  /** The replicas on which the cost of a unit may depend. */
  replicasOf(gateway: Gateway): number;
  /** The most that this machine can simulate; beyond, the cost is extrapolated. */
  mostReplicas?: number;
  unitsPerSecond(gateway: Gateway): number;
  /** Measures a unit at several numbers of replicas. */
  measure(setting: Setting): Promise<readonly Point[]>;
}

export interface Setting {
  /** The numbers of replicas that are simulated. */
  sizes: readonly number[];
  /** Units that are measured at each size, at least. */
  units: number;
  undo: Undo;
}
