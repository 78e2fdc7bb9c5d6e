import { expect, test } from 'vitest';
import { interactionsAnswer } from './interactions-answer.ts';

test('an interaction that its vendor does not store has no id, and its content is read', () => {
  const steps = [{ type: 'model_output', content: [{ type: 'text', text: 'Hello.' }] }];
  expect(interactionsAnswer({ status: 'completed', steps })).toEqual([{ of: '0', kind: 'text', text: 'Hello.' }]);
});
