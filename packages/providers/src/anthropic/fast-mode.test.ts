import type { Offer } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { messagesRequest } from '../testing/messages-request.ts';
import { callOf, vendorOffer } from '../testing/translate.ts';
import { anthropic } from './chat.ts';
import { nativeMessages } from './native.ts';

test.each([
  ['fast', { fast: { factor: '2' } }, 'fast'],
  ['priority', { fast: { factor: '2' } }, 'fast'],
  ['fast', { batch: { factor: '0.5' } }, undefined],
  ['default', { fast: { factor: '2' } }, undefined],
])('the tier %s is fast mode at an offer with %j: %s', (service_tier, tiers, speed) => {
  const { headers, body } = anthropic.request(callOf({ service_tier }), vendorOffer(anthropic, { tiers }));
  expect([JSON.parse(body).speed, headers['anthropic-beta']]).toEqual([speed, speed && 'fast-mode-2026-02-01']);
});

test('fast mode is passed on only to offers that have it', () => {
  const request = messagesRequest('{"model":"m","speed":"fast"}');
  const fits = (tiers?: Offer['tiers']) => nativeMessages.fits(request, vendorOffer(anthropic, tiers && { tiers }));
  expect([fits({ fast: { factor: '2' } }), fits({ batch: {} }), fits()]).toEqual([true, false, false]);
});
