import type { ExchangeAnswer } from '@switchyard/bus';
import type { ResponseHead } from '@switchyard/contracts';
import { slicedAnswer } from '@switchyard/serving';
import type { Lease } from '../byte-budget.ts';
import { thenDone } from './then-done.ts';

/** An answer whose bytes are counted until it has left. */
export function heldAnswer(head: ResponseHead, slices: Buffer[], lease: Lease): ExchangeAnswer {
  lease.settle(lengthOf(slices));
  const answer = slicedAnswer(head, slices);
  return { ...answer, body: thenDone(answer.body instanceof Uint8Array ? [answer.body] : answer.body, lease.release) };
}

export const lengthOf = (slices: readonly Buffer[]): number => slices.reduce((sum, { length }) => sum + length, 0);
