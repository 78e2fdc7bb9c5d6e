import { hash } from 'node:crypto';

/** Numbers that only depend on the seed: the same seed gives the same traffic. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** Whether something with this probability happens. */
  chance(probability: number): boolean;
  /** Around `middle`: half of the values are below it, and a few are several times as large. */
  around(middle: number): number;
  pick<Value>(choices: readonly (readonly [value: Value, weight: number])[]): Value;
  /** A new id with this prefix. */
  id(prefix: string): string;
}

export function createRandom(seed: string): Random {
  let state = Number.parseInt(hash('sha256', seed).slice(0, 8), 16);
  let ids = 0;
  /** Mulberry32. */
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    around: (middle) => middle * Math.exp((next() + next() + next() - 1.5) * 1.2),
    pick(choices) {
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0);
      const [chosen] = choices.find(([, weight]) => (left -= weight) < 0) ?? choices.at(-1) ?? [];
      if (chosen === undefined) throw new Error('There is nothing to pick from.');
      return chosen;
    },
    id: (prefix) => `${prefix}_${hash('sha256', `${seed} ${(ids += 1)}`).slice(0, 32)}`,
  };
}
