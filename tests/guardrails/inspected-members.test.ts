import { readFileSync } from 'node:fs';
import { imageEditMembers, imageGenerationRequest } from '@tallyport/endpoints';
import { chatRequestSchema } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { messagesRequestSchema } from '../../packages/dialects/src/anthropic-messages/request-schema.ts';
import { generateContentSchema } from '../../packages/dialects/src/gemini/request-schema.ts';
import { completionRequestSchema } from '../../packages/dialects/src/openai-completions/request-schema.ts';
import { interactionSchema } from '../../packages/dialects/src/interactions/request-schema.ts';
import { step } from '../../packages/dialects/src/interactions/step-schema.ts';
import { responsesItemSchema } from '../../packages/dialects/src/openai-responses/item-schema.ts';
import { responsesToolSchema } from '../../packages/dialects/src/openai-responses/tool-schema.ts';
import { compileGuard, createTally, redactRequest } from '../../packages/guardrails/src/index.ts';
import { uninspectedMembers } from '../../packages/guardrails/src/members.ts';

/** docs/guardrails.md has one list of what rules do not look at. */
const document = readFileSync(new URL('../../docs/guardrails.md', import.meta.url), 'utf8');
const [, list = ''] = /<!-- not inspected -->\n([^;]+);/.exec(document) ?? [];
// The first name of each entry: `format` beside `data`.
const listed = new Set(list.split(',').map((entry) => /`(\w+)`/.exec(entry)?.[1] ?? entry));

test('the list has all members that are not inspected', () => expect(listed).toEqual(uninspectedMembers));

const secret = 'ada@example.com';
const { request: check } = compileGuard([{ request: { detect: { email: 'redact' } } }]);
const isInspected = (name: string): boolean => {
  const member = { [name]: secret };
  return JSON.stringify(redactRequest(member, check!, { part: 'request', tally: createTally() })).includes('[email]');
};

/** The names of members that may be strings, anywhere in a schema. */
function textMembers(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...others } = schema as { properties?: Record<string, unknown> };
  const own = Object.keys(properties).filter((name) =>
    /"type":(\["string"|"string"(?!,"const"))/.test(JSON.stringify(properties[name])),
  );
  return [...own, ...[...Object.values(properties), ...Object.values(others)].flatMap(textMembers)];
}

test.each<[string, z.ZodType, string]>([
  ['chats', chatRequestSchema, 'reasoning_content'],
  ['messages', messagesRequestSchema, 'thinking'],
  ["Google's API", generateContentSchema, 'text'],
  ['completions', completionRequestSchema, 'prompt'],
  ['interactions', interactionSchema, 'system_instruction'],
  ['steps of interactions', step, 'text'],
  ['items of responses', responsesItemSchema, 'output'],
  ['tools of responses', responsesToolSchema, 'description'],
  ['images', imageGenerationRequest, 'prompt'],
  ['edits of images', imageEditMembers, 'prompt'],
])('of %s, every member is inspected or in the list', (_api, schema, example) => {
  const names = new Set(
    textMembers(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' })),
  );
  expect(names).toContain(example);
  expect([...names].filter((name) => !isInspected(name) && !listed.has(name))).toEqual([]);
});
