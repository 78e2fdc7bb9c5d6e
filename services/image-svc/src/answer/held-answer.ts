import type { ExchangeAnswer } from '@switchyard/bus';
import { slicedAnswer } from '@switchyard/dispatch-kit';
import type { Lease } from '../byte-budget.ts';
import { thenDone } from './patient-body.ts';

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/** An answer whose bytes are counted until it has left. */
export function heldAnswer(headers: Record<string, string>, slices: Buffer[], lease: Lease): ExchangeAnswer {
  lease.settle(lengthOf(slices));
  const { head, body } = slicedAnswer({ status: 200, headers }, slices);
  return { head, body: thenDone(body instanceof Uint8Array ? [body] : body, lease.release) };
}

export const lengthOf = (slices: readonly Buffer[]): number => slices.reduce((sum, { length }) => sum + length, 0);
