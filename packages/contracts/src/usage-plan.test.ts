import { expect, test } from 'vitest';
import { longestPlanText, planOfText, textOfPlan, type UsagePlan } from './usage-plan.ts';

const plan: UsagePlan = {
  mostAttempts: 3,
  offers: [
    {
      provider: 'north',
      reason: 'tie',
      score: 1.235,
      factors: {
        uptime: { value: 0.988, ratio: 1.1, weight: 0.75 },
        price: { value: 0.000001235, ratio: 2, weight: 0.25 },
      },
    },
    {
      provider: 'south',
      model: 'other',
      reason: 'low_uptime',
      ownKey: true,
      score: 2,
      factors: { price: { value: 0.5, ratio: 1, weight: 1 } },
      uptimePenalty: 0.5,
      priorityPenalty: 0.25,
    },
    { provider: 'west', reason: 'breaker_open', score: 3, factors: {} },
    { provider: 'east', reason: 'no_access', detail: 'set "EAST_API_KEY"\0' },
    { provider: '', model: 'tiny', reason: 'context_length_exceeded', detail: 'Too long.' },
    { provider: 'far', reason: 'deactivated' },
  ],
  more: 2,
};

test('a plan is read as it was written', () => {
  expect(planOfText(textOfPlan(plan))).toEqual(plan);
  const { more: _more, ...whole } = plan;
  expect(planOfText(textOfPlan(whole))).toEqual(whole);
});

test('three offers with four factors take less than half of the plan as JSON, and at most 325 bytes', () => {
  const factor = { value: 412.345, ratio: 1.234, weight: 0.25 };
  const factors = { uptime: factor, throughput: factor, price: factor, latency: factor };
  const offers = ['openai', 'azure', 'groq'].map((provider) => ({ provider, reason: 'score', score: 1.234, factors }));
  const three = { mostAttempts: 3, offers };
  expect(textOfPlan(three).length).toBeLessThanOrEqual(325);
  expect(textOfPlan(three).length * 2).toBeLessThan(JSON.stringify(three).length);
});

test('offers beyond the longest text are counted', () => {
  const long = (count: number): UsagePlan => ({
    mostAttempts: 3,
    offers: Array.from({ length: count }, () => ({ provider: 'p', reason: 'no_access', detail: '\u0001'.repeat(200) })),
    more: 1,
  });
  // Each takes 1,219 characters.
  expect(planOfText(textOfPlan(long(3)))).toEqual(long(3));
  const text = textOfPlan(long(12));
  expect(text.length).toBeLessThanOrEqual(longestPlanText);
  expect(planOfText(text)).toEqual({ ...long(3), more: 10 });
});

test.each(['', 'null', '{}', '[3]', '[3,0,[],[["a"]]]', '[3,0,[],[["a","b",1,0,["x"]]]]', `${'['.repeat(10_000)}`])(
  'a text of another version is no plan: %s',
  (text) => expect(planOfText(text)).toBeUndefined(),
);
