import type { GatewayError } from '@tallyport/contracts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { finiteNumber } from '../read.ts';

/** A probability; rounding may have made it a little more than 1. */
export function probabilityIn(value: unknown, providerId: string): number {
  const number = finiteNumber(value) ?? -1;
  if (number < 0 || number > 1.000_01) throw unusable(providerId, 'has no probability from 0 to 1');
  return Math.min(number, 1);
}

export function numberIn(value: unknown, providerId: string): number {
  const number = finiteNumber(value);
  if (number === undefined) throw unusable(providerId, 'lacks a number');
  return number;
}

export const unusable = (providerId: string, what: string): GatewayError =>
  unreadableAnswer(providerId, `An answer ${what}.`);
