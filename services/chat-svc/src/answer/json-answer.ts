import type { ExchangeAnswer } from '@tallyport/bus';

/** A response that describes the current state, so it must not be stored. */
export const jsonAnswer = (value: unknown): ExchangeAnswer => ({
  head: { status: 200, headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } },
  body: Buffer.from(JSON.stringify(value)),
});
