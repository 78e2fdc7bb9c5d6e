import { GatewayError } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { UpstreamFailure } from '@tallyport/outbound';
import { findChatProvider } from '@tallyport/providers';
import { expect, test } from 'vitest';
import type { Attempt } from '../attempt.ts';
import type { NativeAttempt } from './native-attempt.ts';
import { orTranslated } from './or-translated.ts';

const refused = new GatewayError('invalid_parameters', 'Not in this form.');
const native = { mayTranslate: (error: GatewayError) => error === refused } as NativeAttempt;

/** What an attempt is when it is run, and how it ends. */
async function runs(changes: Partial<Attempt>, thrown: unknown) {
  const attempt = { offer: offerOf('anthropic'), provider: undefined, status: 400, native, ...changes } as Attempt;
  const seen: object[] = [];
  const run = orTranslated(async ({ native: form, provider, status }: Attempt) => {
    seen.push({ isNative: form !== undefined, provider: provider?.id, status });
    if (seen.length === 1 && thrown !== undefined) throw thrown;
    return 'an answer';
  });
  const ended = await run(attempt).catch((error: unknown) => error);
  return { seen, ended };
}

const first = { isNative: true, provider: undefined, status: 400 };

test('a request whose form the vendor refuses is sent again, translated', async () => {
  const provider = findChatProvider('anthropic')?.id;
  const again = { isNative: false, provider, status: null };
  expect(await runs({}, refused)).toEqual({ seen: [first, again], ended: 'an answer' });
});

test('a request that succeeds, and one that is translated already, are sent once', async () => {
  expect(await runs({}, undefined)).toEqual({ seen: [first], ended: 'an answer' });
  const translated = { ...first, isNative: false };
  expect(await runs({ native: undefined }, refused)).toEqual({ seen: [translated], ended: refused });
});

const stopped = new UpstreamFailure('left', 'the client has left');

test.each<[string, Partial<Attempt>, unknown]>([
  ['an error that a translation does not help', {}, new GatewayError('invalid_parameters', 'Too long.')],
  ['an error of our own', {}, new TypeError('broken')],
  ['a request that was stopped', { stopped }, refused],
  ['a provider that an operator configured', { offer: offerOf('own') }, refused],
])('%s is thrown at once', async (_what, changes, thrown) => {
  expect(await runs(changes, thrown)).toEqual({ seen: [first], ended: thrown });
});
