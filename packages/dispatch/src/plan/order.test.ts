import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import type { Standing } from '../standing/standings.ts';
import { uptimeOf } from '../standing/uptime.ts';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { seen, standingOf, standingsOf } from '../testing/standings.ts';
import { indexCatalogue } from './model-index.ts';
import type { Fallback } from './fallback.ts';
import { ailment } from './order.ts';
import { planChat } from './plan.ts';

const priced = (providerId: string, price: number, priority?: number) =>
  offerOf(providerId, {
    pricing: { prompt: String(price), completion: String(price) },
    ...(priority !== undefined && { priority }),
  });
const offers = [priced('a', 1), priced('b', 1), priced('c', 1)];

interface Situation {
  offers?: ReturnType<typeof priced>[];
  standings?: Record<string, Partial<Standing>>;
  model?: string;
  streaming?: boolean;
  fallback?: Fallback;
  random?: number;
  cachedAt?: string;
  /** Providers for which the account has its own key. */
  ownKeys?: string[];
}

const planFor = ({ offers: own = offers, standings = {}, random = 1, ownKeys, ...asked }: Situation) =>
  planChat(
    { model: 'm', needs: [], fallback: undefined, streaming: false, ...asked },
    {
      index: indexCatalogue(catalogueOf(modelOf('m', own))),
      obstacle: () => undefined,
      account: ownKeys && {
        all: () => [],
        obstacle: () => undefined,
        hasOwnKey: (providerId) => ownKeys.includes(providerId),
      },
      standing: standingsOf(standings),
      settings: defaultRouting,
      maxAttempts: 3,
      random,
      now: 0,
    },
  );
const order = (situation: Situation) =>
  planFor(situation).candidates.map(({ offer, reason }) => `${offer.providerId} ${reason}`);

const waiting = { recovery: { state: 'away', trialInMs: 500, mayTry: false } } as const;
const due = { recovery: { state: 'away', trialInMs: 0, mayTry: true } } as const;
const returning = (mayTry: boolean) => ({ recovery: { state: 'returning', atOnce: 3, mayTry } }) as const;
const speed = (mean: number) => ({ throughput: { mean, samples: 1_000 } });
const latency = (mean: number) => ({ latency: { mean, samples: 1_000 } });

describe('the order of candidates and its reasons', () => {
  test.each<[string, Situation, string[]]>([
    ['nothing known: catalogue order', {}, ['a score', 'b score', 'c score']],
    ['the cheapest', { offers: [priced('a', 3), priced('b', 2)] }, ['b score', 'a score']],
    ['free before cheap', { offers: [priced('a', 1), priced('b', 0)] }, ['b score', 'a score']],
    ['nearly the cheapest but earlier', { offers: [priced('a', 1.05), priced('b', 1)] }, ['a tie', 'b score']],
    ['a priority outweighs the price', { offers: [priced('a', 1, 0.5), priced('b', 2)] }, ['b score', 'a score']],
    ['the fastest', { standings: { a: speed(20), b: speed(60), c: speed(40) } }, ['b score', 'c score', 'a score']],
    [
      'latency counts for streams',
      { streaming: true, standings: { a: latency(900), b: latency(300), c: latency(900) } },
      ['b score', 'a score', 'c score'],
    ],
    ['and only for streams', { standings: { a: latency(900), b: latency(300) } }, ['a score', 'b score', 'c score']],
    [
      'a lower uptime behind the same price',
      { standings: { a: seen(0.93), b: seen(1), c: seen(1) } },
      ['b score', 'c score', 'a score'],
    ],
    [
      'below 90 % behind all healthy ones, however cheap',
      { offers: [priced('a', 1), priced('b', 9)], standings: { a: seen(0.89) } },
      ['b score', 'a low_uptime'],
    ],
    ['it failed and waits for its next trial', { standings: { a: waiting } }, ['b score', 'c score', 'a recovering']],
    ['its trial is due', { standings: { a: due } }, ['a trial', 'b score', 'c score']],
    [
      'its trial is due, however low its uptime is, and although its breaker is open',
      { standings: { a: { ...due, ...seen(0.1), breaker: 'open' }, b: seen(1), c: seen(1) } },
      ['a trial', 'b score', 'c score'],
    ],
    [
      'its trial is due, but it asked for a pause',
      { standings: { a: { ...due, cooldownMs: 1 } } },
      ['b score', 'c score', 'a cooldown'],
    ],
    [
      'a trial only of an offer that would be first without its failures',
      { standings: { b: due }, offers: [priced('a', 1), priced('b', 2), priced('c', 3)] },
      ['a score', 'c score', 'b recovering'],
    ],
    [
      'of two that are due the better one',
      { standings: { b: due, c: due }, offers: [priced('a', 3), priced('b', 2), priced('c', 1)] },
      ['c trial', 'a score', 'b recovering'],
    ],
    [
      'several requests at a time while it returns',
      { standings: { a: returning(true) } },
      ['a trial', 'b score', 'c score'],
    ],
    ['and no more', { standings: { a: returning(false) } }, ['b score', 'c score', 'a recovering']],
    ['the only offer, although it failed', { offers: [priced('a', 1)], standings: { a: due } }, ['a recovering']],
    [
      'no trial of an offer that the service pays, if the account has a key for another',
      { standings: { a: due }, ownKeys: ['b'] },
      ['b score', 'c score', 'a recovering'],
    ],
    [
      'a trial before a cached prompt',
      { standings: { a: due }, cachedAt: 'b/model' },
      ['a trial', 'b score', 'c score'],
    ],
    [
      'a cached prompt before an offer that returns',
      { standings: { a: returning(true) }, cachedAt: 'b/model' },
      ['b affinity', 'a trial', 'c score'],
    ],
    [
      'an offer that recovers is not explored',
      { random: 0, standings: { b: waiting } },
      ['c explore', 'a score', 'b recovering'],
    ],
    ['a cooldown', { standings: { a: { cooldownMs: 1 } } }, ['b score', 'c score', 'a cooldown']],
    [
      'an open breaker is last',
      { standings: { a: { breaker: 'open' }, b: seen(0.5) } },
      ['c score', 'b low_uptime', 'a breaker_open'],
    ],
    ['a half-open one may try', { standings: { a: { breaker: 'half_open' } } }, ['a score', 'b score', 'c score']],
    [
      'all unhealthy: the best of them',
      { standings: { a: seen(0.3), b: seen(0.6), c: { breaker: 'open' } } },
      ['b low_uptime', 'a low_uptime', 'c breaker_open'],
    ],
    ['exploration: another healthy one', { random: 0 }, ['b explore', 'a score', 'c score']],
    ['the last of the others', { random: 0.00999 }, ['c explore', 'a score', 'b score']],
    ['one in a hundred only', { random: 0.01 }, ['a score', 'b score', 'c score']],
    [
      'never an unhealthy one',
      { random: 0, standings: { b: seen(0.89), c: { breaker: 'half_open' } } },
      ['a score', 'c score', 'b low_uptime'],
    ],
    ['the prompt is cached at another one', { cachedAt: 'c/model' }, ['c affinity', 'a score', 'b score']],
    ['the prompt is cached at the best one', { cachedAt: 'a/model' }, ['a affinity', 'b score', 'c score']],
    ['the prompt is cached at an offer that is gone', { cachedAt: 'd/model' }, ['a score', 'b score', 'c score']],
    [
      'a cached prompt saves more than another price',
      { offers: [priced('a', 1), priced('b', 9)], cachedAt: 'b/model' },
      ['b affinity', 'a score'],
    ],
    ...(
      [
        ['low_uptime', seen(0.89)],
        ['recovering', waiting],
        ['cooldown', { cooldownMs: 1 }],
        ['breaker_open', { breaker: 'open' }],
      ] as const
    ).map(([reason, standing]): [string, Situation, string[]] => [
      `a cached prompt at an offer with ${reason}`,
      { cachedAt: 'b/model', standings: { b: standing } },
      ['a score', 'c score', `b ${reason}`],
    ]),
    [
      'a cached prompt at a half-open one',
      { cachedAt: 'b/model', standings: { b: { breaker: 'half_open' } } },
      ['a score', 'b score', 'c score'],
    ],
    [
      'a cached prompt, explored all the same',
      { cachedAt: 'c/model', random: 0 },
      ['a explore', 'c affinity', 'b score'],
    ],
    [
      "an account's own key before a cached prompt",
      { cachedAt: 'c/model', ownKeys: ['b'] },
      ['b score', 'a score', 'c score'],
    ],
    [
      "a cached prompt among the account's own keys",
      { cachedAt: 'c/model', ownKeys: ['b', 'c'] },
      ['c affinity', 'b score', 'a score'],
    ],
    ['a prefix before a cached prompt', { model: 'b/m', cachedAt: 'c/model' }, ['b pinned']],
    ['a prefix: that one', { model: 'b/m' }, ['b pinned']],
    ['a prefix, explored never', { model: 'b/m', random: 0 }, ['b pinned']],
    [
      'a prefix to an unhealthy one: the healthy ones first',
      { model: 'b/m', standings: { a: seen(0.99), b: seen(0.8) } },
      ['a rerouted', 'c rerouted', 'b low_uptime'],
    ],
    [
      'a prefix with an open breaker',
      { model: 'b/m', standings: { a: seen(0.99), b: { breaker: 'open' }, c: seen(0.2) } },
      ['a rerouted', 'b breaker_open'],
    ],
    [
      'a prefix with an open breaker beside an untried one',
      { model: 'b/m', standings: { a: seen(0.2), b: { ...seen(0.99), breaker: 'open' } } },
      ['c rerouted', 'b breaker_open'],
    ],
    [
      'a prefix to an unhealthy one among worse',
      { model: 'b/m', standings: { a: seen(0.7), b: seen(0.8), c: seen(0.6) } },
      ['b low_uptime'],
    ],
    [
      'a prefix at exactly 90 % stays',
      {
        model: 'b/m',
        standings: { b: { uptime: { ratio: 0.9, expected: 0.9, lower: 0.9, upper: 0.9, samples: 1e6 } } },
      },
      ['b pinned'],
    ],
    [
      'a prefix to one whose trial is due',
      { model: 'b/m', standings: { a: seen(0.99), b: { ...due, breaker: 'open' }, c: seen(0.2) } },
      ['b trial', 'a rerouted'],
    ],
    [
      'a prefix to one that failed, but is healthy enough',
      { model: 'b/m', standings: { b: waiting } },
      ['b recovering'],
    ],
    [
      'a prefix with fallback after any failure: the others behind it',
      { model: 'b/m', fallback: 'any-failure', offers: [priced('a', 3), priced('b', 2), priced('c', 1)] },
      ['b pinned', 'c fallback', 'a fallback'],
    ],
    [
      'a prefix with fallback after any failure: unhealthy others last',
      { model: 'b/m', fallback: 'any-failure', standings: { a: seen(0.5), c: { breaker: 'open' } } },
      ['b pinned', 'a low_uptime', 'c breaker_open'],
    ],
    [
      'a prefix with fallback after any failure, to an unhealthy one',
      { model: 'b/m', fallback: 'any-failure', standings: { a: seen(0.99), b: seen(0.8), c: seen(0.6) } },
      ['a rerouted', 'b low_uptime', 'c low_uptime'],
    ],
    [
      'a prefix with fallback after any failure, to one whose trial is due',
      {
        model: 'b/m',
        fallback: 'any-failure',
        standings: { a: seen(0.99), b: { ...due, breaker: 'open' }, c: seen(0.2) },
      },
      ['b trial', 'a rerouted', 'c low_uptime'],
    ],
    [
      'a prefix to one that failed, but is healthy enough, with fallback after any failure',
      { model: 'b/m', fallback: 'any-failure', standings: { b: waiting } },
      ['b recovering', 'a fallback', 'c fallback'],
    ],
    ['no prefix, whatever the fallback', { fallback: 'unhealthy' }, ['a score', 'b score', 'c score']],
    ['a prefix without fallback', { model: 'b/m', fallback: 'never', standings: { b: seen(0.1) } }, ['b low_uptime']],
  ])('%s', (_name, situation, expected) => {
    expect(order(situation)).toEqual(expected);
  });

  test('every known factor is listed with its share of the weights', () => {
    const [best] = planFor({
      offers: [priced('a', 2), priced('b', 1)],
      standings: { a: speed(40), b: { ...speed(80), ...seen(0.93) } },
    }).candidates;
    expect(best).toMatchObject({ offer: { providerId: 'b' }, reason: 'score' });
    expect(best?.score).toEqual({
      total: expect.closeTo(1 + (0.5 / 0.9) * (best!.score.factors.uptime!.ratio - 1) + best!.score.penalty, 10),
      penalty: expect.closeTo((((0.95 - seen(0.93).uptime.lower) / 0.95) * 5) ** 2, 10),
      priority: 0,
      factors: {
        uptime: {
          value: seen(0.93).uptime.lower,
          ratio: standingOf().uptime.lower / seen(0.93).uptime.lower,
          weight: 0.5 / 0.9,
        },
        throughput: { value: expect.closeTo(80, 0), ratio: 1, weight: expect.closeTo(0.2 / 0.9, 10) },
        price: { value: 1, ratio: 1, weight: expect.closeTo(0.2 / 0.9, 10) },
      },
    });
  });
});

describe('invariants, over random tables', () => {
  const standing = fc.record({
    good: fc.double({ min: 0, max: 2_000, noNaN: true }),
    bad: fc.double({ min: 0, max: 400, noNaN: true }),
    breaker: fc.constantFrom('closed', 'half_open', 'open'),
    cooldownMs: fc.constantFrom(0, 0, 5_000),
    latencyMs: fc.double({ min: 1, max: 60_000, noNaN: true }),
    samples: fc.double({ min: 0, max: 1_000, noNaN: true }),
    mayTry: fc.constantFrom(undefined, false, true),
    price: fc.double({ min: 0, max: 1, noNaN: true }),
    priority: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  type Row = typeof standing extends fc.Arbitrary<infer Value> ? Value : never;
  const table = fc.array(standing, { minLength: 1, maxLength: 12 });
  const chance = fc.double({ min: 0, max: 0.9999, noNaN: true });
  const situationOf = (rows: Row[]) => ({
    offers: rows.map(({ price, priority }, at) => priced(`p${at}`, price, priority)),
    standings: Object.fromEntries(
      rows.map(({ good, bad, breaker, cooldownMs, latencyMs, samples, mayTry }, at) => [
        `p${at}`,
        standingOf({
          uptime: uptimeOf({ good, bad }, 30),
          breaker,
          cooldownMs,
          latency: { mean: latencyMs, samples },
          recovery: mayTry === undefined ? undefined : { state: 'away', trialInMs: 0, mayTry },
        }),
      ]),
    ),
  });
  const isIll = ({ standing: each }: { standing: Standing }) =>
    each.breaker === 'open' || each.uptime.lower < defaultRouting.healthyUptime;

  test('an unhealthy offer is first only as a trial while a healthy one exists, with or without exploration', () => {
    fc.assert(
      fc.property(table, chance, fc.boolean(), (rows, random, streaming) => {
        const { candidates } = planFor({ ...situationOf(rows), random, streaming });
        expect(candidates).toHaveLength(rows.length);
        const [first] = candidates;
        const someHealthy = candidates.some(({ standing: each }) => ailment(each, defaultRouting) === undefined);
        const wronglyFirst = first !== undefined && someHealthy && isIll(first) && first.reason !== 'trial';
        const wronglyExplored = first?.reason === 'explore' && first.standing.breaker !== 'closed';
        expect({ wronglyFirst, wronglyExplored }).toEqual({ wronglyFirst: false, wronglyExplored: false });
      }),
      { numRuns: 500 },
    );
  });

  test('a prefixed request moves only away from an unhealthy offer, and only to healthy ones', () => {
    fc.assert(
      fc.property(table, chance, fc.constantFrom('never', 'unhealthy'), (rows, random, fallback) => {
        const { candidates } = planFor({ ...situationOf(rows), random, fallback, model: 'p0/m' });
        const own = candidates.find(({ offer }) => offer.providerId === 'p0');
        const others = candidates.filter((candidate) => candidate !== own);
        if (own === undefined) throw new Error('The requested provider is always a candidate.');
        const mayMove = fallback !== 'never' && ailment(own.standing, defaultRouting) !== undefined;
        const isHealthy = ({ standing: each }: (typeof others)[number]) => ailment(each, defaultRouting) === undefined;
        expect(others.filter((other) => !mayMove || !isHealthy(other))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('with fallback after any failure the order begins as without it, and has every offer once', () => {
    fc.assert(
      fc.property(table, chance, (rows, random) => {
        const situation = { ...situationOf(rows), random, model: 'p0/m' };
        const reasonsOf = (fallback: Fallback) => order({ ...situation, fallback });
        const providersOf = (fallback: Fallback) =>
          planFor({ ...situation, fallback }).candidates.map(({ offer }) => offer.providerId);
        const usual = reasonsOf('unhealthy');
        expect(reasonsOf('any-failure').slice(0, usual.length)).toEqual(usual);
        expect(providersOf('any-failure').toSorted()).toEqual(rows.map((_, at) => `p${at}`).toSorted());
      }),
      { numRuns: 500 },
    );
  });
});
