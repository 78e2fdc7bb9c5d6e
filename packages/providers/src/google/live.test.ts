import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { google } from './chat.ts';
import { geminiLive } from './live.ts';

const offer = offerOf('google', { modelName: 'gemini-3.8-live' });
const openingOf = (setup: string): string | undefined =>
  geminiLive.opening?.({ api: 'live', setup: Buffer.from(setup) }, offer)?.toString();

test('the opening is the setup of the client, with the name of the vendor and every other byte', () => {
  const setup = '{ "setup": {"model":"models/google\\/live", "a":12345678901234567890, "tools":[{"model":"x"}]} }';
  expect(openingOf(setup)).toBe(setup.replace('"models/google\\/live"', '"models/gemini-3.8-live"'));
});

test.each([
  [1007, 'API key not valid. Please pass a valid API key.', ['upstream_auth', undefined]],
  [1007, 'Request contains an invalid argument.', ['invalid_parameters', 400]],
  [
    1008,
    'models/x is not found for API version v1beta, or is not supported for bidiGenerateContent.',
    ['upstream_error', 404],
  ],
  [1008, 'Operation is not implemented, or supported, or enabled.', ['invalid_parameters', 400]],
  [1011, 'You exceeded your current quota, please check your plan.', ['upstream_error', 429]],
  [1011, 'Internal error encountered.', ['upstream_error', 500]],
])('a close with %i and %j before the session is %j', (code, reason, expected) => {
  const refused = geminiLive.refusal({ kind: 'close', code, reason });
  const error = refused && google.error(refused.status, {}, refused.body);
  expect([error?.code, error?.provider?.status]).toEqual(expected);
});

test('a message is no refusal', () => {
  expect(geminiLive.refusal({ kind: 'binary', bytes: Buffer.from('{"setupComplete":{}}') })).toBeUndefined();
});
