import type { ExchangeAnswer } from '@switchyard/bus';

/** It is as of now, so nobody may keep it. */
export const jsonAnswer = (value: unknown): ExchangeAnswer => ({
  head: { status: 200, headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } },
  body: Buffer.from(JSON.stringify(value)),
});
