import {
  generateContentOutline,
  interactionsOutline,
  messagesCountOutline,
  messagesOutline,
  responsesOutline,
} from '@tallyport/endpoints/document';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  countTokensSchema,
  messagesRequestSchema,
} from '../../packages/dialects/src/anthropic-messages/request-schema.ts';
import { generateContentSchema } from '../../packages/dialects/src/gemini/request-schema.ts';
import { interactionSchema } from '../../packages/dialects/src/interactions/request-schema.ts';
import { responsesRequestSchema } from '../../packages/dialects/src/openai-responses/request-schema.ts';

const question = { role: 'user', content: 'Hi' };
const asked: [string, z.ZodType, z.ZodType, object][] = [
  ['messages', messagesOutline, messagesRequestSchema, { model: 'm', max_tokens: 5, messages: [question] }],
  ['counts of messages', messagesCountOutline, countTokensSchema, { model: 'm', messages: [question] }],
  ['responses', responsesOutline, responsesRequestSchema, { model: 'm', input: [{ type: 'message', ...question }] }],
  [
    'contents',
    generateContentOutline,
    generateContentSchema,
    { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  ],
  ['interactions', interactionsOutline, interactionSchema, { model: 'm', input: 'Hi' }],
];

/** The value, with one of its members removed or changed, at any depth. */
function* changed(value: unknown): Generator<unknown> {
  yield* [undefined, null, '', 'x', 0, 1.5, true, [], {}, [value], [null]];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    for (const other of changed(member)) {
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
    }
  }
}

// A vendor with the same API gets more than can be translated, so the document has only an outline of these requests.
test.each(asked)('%s: the document forbids nothing that can be translated', (_name, outline, translated, example) => {
  const values = [example, ...changed(example)];
  const accepted = values.filter((value) => translated.safeParse(value).success);
  expect(accepted.filter((value) => !outline.safeParse(value).success)).toEqual([]);
  expect(accepted).toContain(example);
});

test.each(asked)('%s: what the document requires is necessary', (_name, outline, translated, example) => {
  const without = Object.keys(example).map((name) => ({ ...example, [name]: undefined }));
  const refused = without.filter((value) => !outline.safeParse(value).success);
  expect(refused.filter((value) => translated.safeParse(value).success)).toEqual([]);
  expect(refused.length).toBeGreaterThan(0);
});
