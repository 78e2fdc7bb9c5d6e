import { GatewayError, type UntriedOffer } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import type { Exclusion } from './exclude.ts';
import type { CandidateReason } from './order.ts';
import { mostUntried, untriedModels, untriedOffers } from './untried.ts';

const planOf = (
  id: string,
  candidates: readonly (readonly [string, CandidateReason])[],
  excluded: readonly (readonly [string, Exclusion['reason'], string])[] = [],
) => ({
  model: { id },
  candidates: candidates.map(([name, reason]) => ({ offer: offerOf(name), reason })),
  excluded: excluded.map(([name, reason, detail]) => ({ offer: offerOf(name), reason, detail })),
});
const tried = (provider: string, model: string) => ({ provider, model });
const long = `${'x'.repeat(199)}\u{1f600}`;

test('are named in their order with the reason of their place, then those that were left out', () => {
  const plan = planOf(
    'swift',
    [
      ['north', 'score'],
      ['south', 'tie'],
      ['west', 'breaker_open'],
    ],
    [
      ['east', 'not_preferred', 'provider.ignore'],
      ['far', 'no_access', long],
    ],
  );
  expect(untriedOffers(plan, [tried('north', 'swift'), tried('north', 'swift')])).toEqual({
    not_tried: [
      { provider: 'south', model: 'swift', reason: 'tie' },
      { provider: 'west', model: 'swift', reason: 'breaker_open' },
      { provider: 'east', model: 'swift', reason: 'not_preferred', detail: 'provider.ignore' },
      { provider: 'far', model: 'swift', reason: 'no_access', detail: `${'x'.repeat(199)}\ufffd` },
    ],
  });
  expect(untriedOffers(planOf('swift', [['north', 'score']]), [tried('north', 'swift')])).toBeUndefined();
});

test('are those of all models in the order of their turns, each once, and the models that cannot serve the request', () => {
  const plan = {
    ...planOf('ill', [['north', 'low_uptime']]),
    // The same model under a prefixed name: its offers have their turn already.
    standIns: [planOf('well', [['north', 'score']]), planOf('ill', [], [['north', 'unsupported', 'turn already']])],
    passedOver: [{ model: 'small', error: new GatewayError('context_length_exceeded', 'Too long.') }],
  };
  expect(untriedOffers(plan, [])).toEqual({
    not_tried: [
      { provider: 'north', model: 'well', reason: 'score' },
      { provider: 'north', model: 'ill', reason: 'low_uptime' },
      { model: 'small', reason: 'context_length_exceeded', detail: 'Too long.' },
    ],
  });
});

const many = (count: number) =>
  planOf(
    'swift',
    Array.from({ length: count }, (_, at) => [`p${at}`, 'score'] as const),
  );

test.each([
  ['at the limit', mostUntried, mostUntried, undefined],
  ['beyond it', mostUntried + 1, mostUntried, 1],
  ['far beyond it', 10_000, mostUntried, 10_000 - mostUntried],
])('are a bounded number: %s', (_name, offers, named, more) => {
  const untried = untriedOffers(many(offers), []);
  expect([untried?.not_tried.length, untried?.not_tried_more]).toEqual([named, more]);
});

test('of models that were all passed over are those of each', () => {
  const offer: UntriedOffer = { provider: 'north', model: 'swift', reason: 'no_access', detail: 'no key' };
  const without = {
    model: 'swift',
    error: new GatewayError('invalid_parameters', 'None.', { untried: { not_tried: [offer], not_tried_more: 2 } }),
  };
  const alone = { model: 'slow', error: new GatewayError('permission_denied', 'Not allowed.') };
  expect(untriedModels([without, alone])).toEqual({
    not_tried: [offer, { model: 'slow', reason: 'permission_denied', detail: 'Not allowed.' }],
    not_tried_more: 2,
  });
});
