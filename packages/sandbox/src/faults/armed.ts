import type { FaultEffect } from './fault.ts';
import { parseFaults } from './grammar.ts';

/** A fault for future requests that match. */
export interface FaultOrder {
  /** Absent: any provider. */
  readonly provider?: string;
  /** Absent: any model. */
  readonly model?: string;
  /** In the syntax of `parseFaults`. */
  readonly fault: string;
  /** The number of requests it applies to; absent: all until cleared. */
  readonly times?: number;
}

export interface ArmedFaults {
  /**
   * Adds a fault. It replaces an earlier one for the same provider and model. Throws FaultSyntaxError if the fault is
   * invalid.
   */
  set(order: FaultOrder): void;
  /** Without a provider all faults are removed. */
  clear(provider?: string): void;
  list(): readonly FaultOrder[];
  /** Returns the fault for this request, if there is one, and counts it. The newest match applies. */
  take(target: { provider: string; model: string | undefined }): { words: string; fault: FaultEffect } | undefined;
}

const maxOrders = 1_000;

export function createArmedFaults(): ArmedFaults {
  let armed: { order: FaultOrder; fault: FaultEffect; left: number }[] = [];
  return {
    set: (order) => {
      const fault = parseFaults(order.fault);
      const others = armed.filter((entry) => !isSameTarget(entry.order, order));
      armed = [{ order, fault, left: order.times ?? Number.POSITIVE_INFINITY }, ...others].slice(0, maxOrders);
    },
    clear: (provider) => {
      armed = provider === undefined ? [] : armed.filter((entry) => entry.order.provider !== provider);
    },
    list: () => armed.map(({ order, left }) => (Number.isFinite(left) ? { ...order, times: left } : order)),
    take: (target) => {
      const entry = armed.find(({ order }) => fits(order, target));
      if (entry === undefined) return undefined;
      entry.left -= 1;
      if (entry.left <= 0) armed = armed.filter((other) => other !== entry);
      return { words: entry.order.fault, fault: entry.fault };
    },
  };
}

const isSameTarget = (one: FaultOrder, other: FaultOrder) =>
  one.provider === other.provider && one.model === other.model;

const fits = (order: FaultOrder, target: { provider: string; model: string | undefined }) =>
  (order.provider === undefined || order.provider === target.provider) &&
  (order.model === undefined || order.model === target.model);
