import { expect, test } from 'vitest';
import { repeatedPart } from './repeated-part.ts';

const user = (content: string) => ({ role: 'user' as const, content });
const text = 'x'.repeat(96);

test('a first question repeats nothing', () => {
  expect(repeatedPart({ model: 'm', messages: [{ role: 'system', content: text }, user(text)] })).toBe(0);
});

test('a turn repeats what the one before sent, with its instructions and tools', () => {
  // With its role, each message has 100 characters, and so has the tool.
  const messages = [user(text), { role: 'assistant' as const, content: 'x'.repeat(91) }, user(text)];
  const tool = { type: 'function' as const, function: { name: 'x'.repeat(92), parameters: {} } };
  expect(repeatedPart({ model: 'm', messages })).toBe(1 / 3);
  expect(repeatedPart({ model: 'm', messages, tools: [tool] })).toBe(2 / 4);
  expect(repeatedPart({ model: 'm', messages: [...messages, ...messages.slice(1)] })).toBe(3 / 5);
});
