import { expect, test } from 'vitest';
import type { OfferStanding } from '../gateway/offer-standing.ts';
import { providerState } from './provider-state.ts';

const offer = (changes: Partial<OfferStanding> = {}): OfferStanding => ({
  provider: 'alpha',
  model: 'm',
  obstacle: null,
  key: 'service',
  healthy: true,
  latency_ms: 100,
  breaker: 'closed',
  cooldown_ms: 0,
  last_error: null,
  ...changes,
});
const missing = offer({ obstacle: 'set ALPHA_API_KEY to use alpha', breaker: 'open' });
const stateOf = (...offers: OfferStanding[]) => {
  const { kind, text } = providerState(offers);
  return `${kind}: ${text}`;
};

test('a provider is as well as the worst of its offers that can be called', () => {
  expect(stateOf(offer())).toBe('healthy: 1 model');
  expect(stateOf(offer(), missing)).toBe('healthy: 1 model');
  expect(stateOf(offer(), offer({ healthy: false }))).toBe('degraded: 1 of 2 models avoided');
  expect(stateOf(offer({ breaker: 'half_open' }), offer({ healthy: false }), offer())).toBe(
    'open: breaker open for 1 of 3 models',
  );
  expect(stateOf(missing, missing)).toBe('unreachable: set ALPHA_API_KEY to use alpha');
  expect(stateOf()).toBe('unreachable: it has no offers');
});

test('the last error is the latest of any offer', () => {
  const errors = ['2026-11-22T10:00:00Z', '2026-11-23T10:00:00Z', '2026-11-21T10:00:00Z'];
  const offers = errors.map((at) => offer({ last_error: { type: 'timeout', at } }));
  expect(providerState([offer(), ...offers]).lastError).toEqual({ type: 'timeout', at: errors[1] });
  expect(providerState([offer()]).lastError).toBeUndefined();
});
