import { answerKey, type KeyParts } from '@tallyport/serving/cache';
import type { Model } from '@tallyport/contracts';
import type { Plan } from '@tallyport/dispatch';
import type { ChatRequest } from '@tallyport/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sharedModelEntry } from '../testing/chat-bench.ts';
import { countedMembers, uncountedMembers } from './counted-members.ts';

const planOf = (model: Model, changes: Partial<Plan> = {}): Plan =>
  ({
    model,
    requestedModel: model.id,
    requestedProvider: undefined,
    fallback: 'any-failure',
    candidates: model.offers.map((offer) => ({ offer })),
    excluded: [],
    maxAttempts: 3,
    ...changes,
  }) as unknown as Plan;

const chat = { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hi' }], temperature: 0.5 } as ChatRequest;
const parts = (changes: Partial<KeyParts> = {}): KeyParts => ({
  accountId: 'account',
  request: countedMembers(chat),
  plan: planOf(sharedModelEntry()),
  catalogueVersion: '1',
  release: '1',
  ...changes,
});
const keyOf = (request: object): string => answerKey(parts({ request: countedMembers(request as ChatRequest) }));

/** The same value with the members of every object in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, shuffled(member)] as const);
  return Object.fromEntries(members.toReversed());
}

const counted = fc.dictionary(
  fc
    .string({ minLength: 1 })
    .filter((name) => !uncountedMembers.has(name) && name !== '__proto__' && !/^\d+$/.test(name)),
  fc.jsonValue({ maxDepth: 3 }),
);

describe('the cache key of a request', () => {
  test('does not depend on the order of members, at any depth', () => {
    fc.assert(fc.property(counted, (members) => keyOf(members) === keyOf(shuffled(members) as object)));
  });

  test('differs for any other difference', () => {
    const asJson = (value: unknown) => JSON.stringify(value);
    fc.assert(
      fc.property(counted, counted, (one, other) => {
        const same = asJson(sorted(one)) === asJson(sorted(other));
        return (keyOf(one) === keyOf(other)) === same;
      }),
    );
  });

  test.each([...uncountedMembers])('does not depend on %s', (name) => {
    expect(keyOf({ ...chat, [name]: 'anything' })).toBe(keyOf(chat));
  });

  test.each([
    ['temperature', { temperature: 0.6 }],
    ['a tool', { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['a seed', { seed: 1 }],
    ['the format', { response_format: { type: 'json_object' } }],
    ['an unknown member', { num_ctx: 4096 }],
    ['a member with a name inside that does not count at the top', { prediction: { type: 'content', user: 'x' } }],
    ['how fast it is to be', { service_tier: 'flex' }],
  ])('differs for %s', (_, changes) => {
    expect(keyOf({ ...chat, ...changes })).not.toBe(keyOf(chat));
  });

  const model = sharedModelEntry();
  test.each<[string, Partial<KeyParts>]>([
    ['another account', { accountId: 'other' }],
    ['another version of the catalogue', { catalogueVersion: '2' }],
    ['another release', { release: '2' }],
    ['a request that takes no other provider', { plan: planOf(model, { fallback: 'never' }) }],
    ['a request that moves on only from an unhealthy provider', { plan: planOf(model, { fallback: 'unhealthy' }) }],
    ['another model under the same name', { plan: planOf(sharedModelEntry({ id: 'other' })) }],
    ['a requested provider', { plan: planOf(model, { requestedProvider: 'sandbox-a' }) }],
    ['a key that may not use all providers', { plan: planOf({ ...model, offers: model.offers.slice(1) }) }],
    ['another name of the model at its provider', { plan: planOf(renamed(model)) }],
  ])('differs for %s', (_, changes) => {
    expect(answerKey(parts(changes))).not.toBe(answerKey(parts()));
  });

  test('does not depend on the health of offers', () => {
    const reversed = planOf(model, { candidates: planOf(model).candidates.toReversed() });
    expect(answerKey(parts({ plan: reversed }))).toBe(answerKey(parts()));
  });
});

const renamed = (model: Model): Model => ({
  ...model,
  offers: model.offers.map((offer) => ({ ...offer, modelName: `${offer.modelName}-2` })),
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
