import type { DecisionPolicy } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { growthOf, highestGrowth } from '../../../../tests/support/growth.ts';
import { policiesIn, policyLine } from './decision-fields.ts';

const policiesOf = (lines: string, model = 'jev') =>
  policiesIn('request', {
    'guardrails.request.decision.model': model,
    'guardrails.request.decision.policies': lines,
  });

test.each<[string, DecisionPolicy]>([
  [
    'legal flag The text asks for legal advice.',
    { name: 'legal', policy: 'The text asks for legal advice.', action: 'flag' },
  ],
  [
    'weapons block@0.85 It says how to build a weapon.',
    { name: 'weapons', policy: 'It says how to build a weapon.', action: 'block', threshold: 0.85 },
  ],
  [
    'topic weapons=block,law=flag,other=allow@0.4 What is it about?',
    {
      name: 'topic',
      policy: 'What is it about?',
      labels: { weapons: 'block', law: 'flag', other: 'allow' },
      threshold: 0.4,
    },
  ],
])('a line is a policy, and a policy that line: %s', (line, policy) => {
  expect(policiesOf(`\n${line}\n`)).toEqual([policy]);
  expect(policyLine(policy)).toBe(line);
});

test.each(['legal', 'legal flag', 'legal redact It is legal.', 'topic a=block,b=redact What is it?'])(
  'a line that is none is refused by its place: %s',
  (line) => {
    expect(() => policiesOf(`one flag It is one.\n${line}`)).toThrow(
      expect.objectContaining({ param: 'guardrails.request.decision.policies[1]' }),
    );
  },
);

test('policies without a model are refused at the field of the model', () => {
  expect(policiesOf('', '')).toEqual([]);
  expect(() => policiesOf('legal flag It is legal.', ' ')).toThrow(
    expect.objectContaining({ param: 'guardrails.request.decision.model' }),
  );
});

test.each(['legal flag ', 'topic a=block,', 'legal flag@'])(
  'the time for a line grows with its length: %s',
  (start) => {
    const read = (line: string): void => {
      try {
        policiesOf(line);
      } catch {
        // Not every one is a policy.
      }
    };
    const lineOf = (length: number): string => `${start}x${' '.repeat(length)}x`;
    expect(growthOf(read, lineOf, 8_000)).toBeLessThanOrEqual(highestGrowth);
  },
);
