import type { ExchangeAnswer } from '@tallyport/bus';

export const answerJson = (document: object): ExchangeAnswer => ({
  head: { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } },
  body: Buffer.from(JSON.stringify(document)),
});
