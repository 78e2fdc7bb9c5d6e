import { routeSchema } from '@tallyport/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRoute, type CompiledRoute, openRouteCompiler } from './compile.ts';
import { resolveRoute, type RouteChoice } from './resolve.ts';
import type { RouteFacts } from './facts.ts';

const facts: RouteFacts = {
  request: {
    tokens: () => 10,
    modalities: () => ['text'],
    tools: () => [],
    structuredOutput: false,
    stream: false,
    headers: () => new Map(),
    endUser: '',
    api: 'chat',
  },
  keyId: 'key',
  projectId: '',
  accountId: 'account',
  accountTags: [],
  budgetLeft: 1,
  decided: () => null,
  now: new Date(0),
};

const compileRoute = openRouteCompiler();
const compiled = (route: object, name = 'fast'): CompiledRoute => compileRoute(name, routeSchema.parse(route));

const resolved = (route: CompiledRoute, key = 'conversation'): RouteChoice =>
  resolveRoute(route, { facts, key: () => key });
const resolvedWith = (route: CompiledRoute, decided: RouteFacts['decided']): RouteChoice =>
  resolveRoute(route, { facts: { ...facts, decided }, key: () => 'conversation' });
const order = ({ models }: RouteChoice): string[] => models.map(({ model }) => model);

describe('a condition', () => {
  const route = compiled({
    targets: [{ model: 'a' }],
    then: ['z'],
    when: [
      { if: 'request.stream', use: ['b'] },
      { if: 'request.headers["x"] == "1"', use: ['c'] },
      { if: 'nonsense', use: ['d'] },
      { if: 'budget.left < 2', use: ['e', 'z', 'e'] },
      { if: 'true', use: ['f'] },
    ],
  });

  test('that is true first decides, and each result is explained', () => {
    const { conditions, targets, models } = resolveRoute(route, {
      facts,
      key: () => {
        throw new Error('No weight decides.');
      },
    });
    expect(conditions.map(({ use, result, problem }) => [use[0], result, problem])).toEqual([
      ['b', 'false', undefined],
      ['c', 'failed', 'No such key: x (at character 1)'],
      ['d', 'failed', 'Unknown variable: nonsense (at character 1)'],
      ['e', 'true', undefined],
      ['f', 'not_evaluated', undefined],
    ]);
    expect(models).toEqual([
      { model: 'e', reason: 'condition' },
      { model: 'z', reason: 'condition' },
    ]);
    expect(targets).toEqual([{ model: 'a', weight: 1, share: 1, chosen: false }]);
  });
});

describe('weights', () => {
  const canary = compiled({
    targets: [
      { model: 'stable', weight: 95 },
      { model: 'canary', weight: 5 },
    ],
    then: ['last'],
  });

  test('choose the first target, the others follow, then the models for a failure of all', () => {
    const first = resolved(canary, 'some conversation');
    expect(first.models.map(({ reason }) => reason)).toEqual(['weight', 'other_target', 'then']);
    expect(first.targets.map(({ model, share, chosen }) => [model, share, chosen])).toEqual([
      ['stable', 0.95, order(first)[0] === 'stable'],
      ['canary', 0.05, order(first)[0] === 'canary'],
    ]);
  });

  test('hold within 1 % of all requests over 100,000 conversations, for each place', () => {
    const weights = [50, 30, 15, 5, 0];
    const route = compiled({ targets: weights.map((weight, at) => ({ model: `m${at}`, weight })) });
    const counts = weights.map(() => weights.map(() => 0));
    const all = 100_000;
    for (let at = 0; at < all; at += 1) {
      for (const [place, model] of order(resolved(route, `conversation ${at}`)).entries()) {
        const [row = [], column] = [counts[place], Number(model.slice(1))];
        row[column] = (row[column] ?? 0) + 1;
      }
    }
    const near = (expected: number) => expect.closeTo(expected, 2);
    expect(counts[0]?.map((count) => count / all)).toEqual(weights.map((weight) => near(weight / 100)));
    const second = weights.map((weight, at) =>
      weights.reduce((sum, other, of) => sum + (of === at ? 0 : (other / 100) * (weight / (100 - other))), 0),
    );
    expect(counts[1]?.map((count) => count / all)).toEqual(second.map(near));
    expect(counts[4]).toEqual([0, 0, 0, 0, all]);
  });

  test('keep a conversation, and one that changes moves only conversations to or from its target', () => {
    const keys = Array.from({ length: 2_000 }, (_, at) => `conversation ${at}`);
    const more = compiled({
      targets: [
        { model: 'stable', weight: 95 },
        { model: 'canary', weight: 20 },
      ],
    });
    const moved = keys.map((key) => [order(resolved(canary, key))[0], order(resolved(more, key))[0]]);
    expect(moved.filter(([before, after]) => before === 'canary' && after !== 'canary')).toEqual([]);
    expect(moved.filter(([before, after]) => before !== after).length).toBeGreaterThan(100);
  });

  test('differ between routes, so that not the same conversations try everything that is new', () => {
    const other = compiled({ targets: canary.route.targets }, 'other');
    const keys = Array.from({ length: 4_000 }, (_, at) => `conversation ${at}`);
    const both = keys.filter((key) => [canary, other].every((each) => order(resolved(each, key))[0] === 'canary'));
    expect(both.length).toBeLessThan(50);
  });
});

test('every order is explained, has each model once, and is the same for the same conversation', () => {
  const model = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'p/a');
  const routes = fc.record({
    targets: fc.uniqueArray(fc.record({ model, weight: fc.constantFrom(0, 0.5, 1, 7, 1_000_000) }), {
      minLength: 1,
      selector: (target) => target.model,
    }),
    then: fc.array(model, { maxLength: 5 }),
    when: fc.array(
      fc.record({
        if: fc.constantFrom('true', 'false', 'request.tokens == 10', 'request.headers["x"] == ""', 'nonsense'),
        use: fc.array(model, { minLength: 1, maxLength: 5 }),
      }),
      { maxLength: 3 },
    ),
  });
  fc.assert(
    fc.property(routes, fc.string(), (candidate, key) => {
      fc.pre(candidate.targets.some(({ weight }) => weight > 0));
      const route = compiled(candidate);
      const choice = resolved(route, key);
      expect(choice).toEqual(resolved(route, key));
      expect(new Set(order(choice)).size).toBe(choice.models.length);
      const met = choice.conditions.findIndex(({ result }) => result === 'true');
      expect(choice.conditions.map(({ result }) => result === 'not_evaluated')).toEqual(
        candidate.when.map((_, at) => met >= 0 && at > met),
      );
      const listed = met < 0 ? candidate.targets.map((target) => target.model) : candidate.when[met]?.use;
      expect(order(choice).toSorted()).toEqual([...new Set([...(listed ?? []), ...candidate.then])].toSorted());
      const chosen = choice.targets.filter((target) => target.chosen);
      expect(chosen.map((target) => target.model)).toEqual(met < 0 ? [order(choice)[0]] : []);
      expect(chosen.filter(({ weight }) => weight === 0)).toEqual([]);
    }),
  );
});

test('a route is checked before it is stored', () => {
  const when = [
    { if: 'request.tokens > 10', use: ['a'] },
    { if: 'request.token > 10', use: ['a'] },
  ];
  const problems = checkRoute(routeSchema.parse({ targets: [{ model: 'a' }, { model: 'b' }, { model: 'a' }], when }));
  expect(problems).toEqual([
    { param: 'targets[2].model', message: "'a' is a target already." },
    { param: 'when[1].if', message: expect.stringContaining("'request' has no 'token'") },
  ]);
  expect(checkRoute(routeSchema.parse({ targets: [{ model: 'a' }] }))).toEqual([]);
});

test('the conditions of a route take a bounded number of steps together', () => {
  const dear = { if: `request.tools.exists(name, name == 'a' || name == 'b')`, use: ['a'] };
  const withSome = (count: number) =>
    checkRoute(routeSchema.parse({ targets: [{ model: 'a' }], when: Array.from({ length: count }, () => dear) }));
  expect(withSome(4)).toEqual([]);
  expect(withSome(5)).toEqual([
    { param: 'when', message: expect.stringMatching(/^All conditions may take 5\d\d\d steps, and 5000 are allowed/) },
  ]);
});

describe('a condition that asks a model', () => {
  const route = compiled({
    targets: [{ model: 'a' }],
    when: [
      { if: 'decide("jev", "code", 0.0) > 0.5 && request.stream', use: ['b'] },
      { if: 'decide("jev", "law", 0.0, 200) > 0.5', use: ['c'] },
      { if: 'decide("jev", "law", 1.0) > 0.5 || decide("other", "code", 0.0) > 0.5', use: ['d'] },
    ],
  });
  const law = { model: 'jev', statement: 'law', timeoutMs: 200 };
  const results = ({ conditions }: RouteChoice) => conditions.map(({ result }) => result);

  test('wants what is not decided yet, unless the result does not depend on it', () => {
    const choice = resolvedWith(route, () => undefined);
    expect([choice.wanted, results(choice)]).toEqual([law, ['false', 'not_evaluated', 'not_evaluated']]);
  });

  test('wants the next one once the first is known', () => {
    const choice = resolvedWith(route, (model) => (model === 'jev' ? 0.1 : undefined));
    expect(choice.wanted).toEqual({ model: 'other', statement: 'code', timeoutMs: 1_000 });
  });

  test('decides by the answer', () => {
    const choice = resolvedWith(route, () => 0.51);
    expect([choice.wanted, results(choice), order(choice)]).toEqual([
      undefined,
      ['false', 'true', 'not_evaluated'],
      ['c'],
    ]);
  });

  test('has its own default if the model does not decide', () => {
    const choice = resolvedWith(route, () => null);
    expect([results(choice), order(choice)]).toEqual([['false', 'false', 'true'], ['d']]);
  });

  test('asks three models at most', () => {
    const asks = (count: number) =>
      checkRoute(
        routeSchema.parse({
          targets: [{ model: 'a' }],
          when: Array.from({ length: count }, (_, at) => ({ if: `decide("m${at}", "x", 0.0) > 0.5`, use: ['b'] })),
        }),
      );
    expect(asks(3)).toEqual([]);
    expect(asks(4)).toEqual([
      { param: 'when', message: 'All conditions may ask 4 decision models, and 3 are allowed. Ask fewer.' },
    ]);
  });
});
