import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { withinOutput } from './within-output.ts';

const sent = (limits: object, ofOffer?: number, ofModel?: number) => {
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }], ...limits };
  const offer = offerOf('vendor', ofOffer === undefined ? {} : { maxOutput: ofOffer });
  const { max_tokens, max_completion_tokens } = withinOutput(
    { request, stream: false },
    ofModel === undefined ? {} : { maxOutput: ofModel },
    offer,
  ).request;
  return { max_tokens, max_completion_tokens };
};

test.each([
  ['at the limit', { max_tokens: 100 }, 100, undefined, { max_tokens: 100 }],
  ['above the limit', { max_tokens: 101 }, 100, undefined, { max_tokens: 100 }],
  ['the newer name', { max_completion_tokens: 32_000 }, 16_384, undefined, { max_completion_tokens: 16_384 }],
  ['both names', { max_tokens: 7, max_completion_tokens: 9 }, 8, 1, { max_tokens: 7, max_completion_tokens: 8 }],
  ["the model's where the offer has none", { max_tokens: 9 }, undefined, 8, { max_tokens: 8 }],
  ['no known limit', { max_tokens: 9 }, undefined, undefined, { max_tokens: 9 }],
  ['null', { max_tokens: null }, 8, undefined, { max_tokens: null }],
  ['no limit requested', {}, 8, undefined, {}],
])('%s', (_name, limits, ofOffer, ofModel, expected) => {
  expect(sent(limits, ofOffer, ofModel)).toEqual(expected);
});
