import type { NativeRequest } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import type { CacheMarking, PromptReuse } from './cache-marking.ts';
import { markedMessages } from './marked-messages.ts';

const marking: CacheMarking = { leastTokens: 10, tools: true, hour: true };
const reuse: PromptReuse = { lifetime: '5m', isShared: false };
const long = 'x'.repeat(30);
const mark = '"cache_control":{"type":"ephemeral"}';

const requestOf = (json: string): NativeRequest => ({
  dialect: 'anthropic-messages',
  body: Buffer.from(json),
  members: JSON.parse(json),
  headers: {},
  model: 'm',
  limit: undefined,
  isUntranslatable: false,
});

/** The body with marks; its members must be the same. */
function sent(json: string, known = reuse, rules = marking): string {
  const { body, members } = markedMessages(requestOf(json), rules, known);
  expect(members).toEqual(JSON.parse(body.toString()));
  return body.toString();
}

const turns = `"messages": [{"role":"user","content":"One \\u00e9"},{"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"s"}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"Sunny"},{"type":"image","source":{"type":"base64","data":"AA"}}]},{"role":"assistant","content":"2"},{"role":"user","content":"Three"}]`;

test('a conversation is marked at tools, instructions and the last two turns, and every other byte stays', () => {
  const tools = `"tools":[{"name":"a","input_schema":{"n":1.0}},{"name":"b","description":"${long}"},{"name":"c","defer_loading":true}]`;
  const json = `{"model":"m", ${tools}, "system":"${long}", ${turns},"max_tokens":1e2}`;
  expect(sent(json)).toBe(
    json
      .replace('{"name":"b"', `{${mark},"name":"b"`)
      .replace(`"system":"${long}"`, `"system":[{"type":"text","text":"${long}",${mark}}]`)
      .replace('{"type":"image"', `{${mark},"type":"image"`)
      .replace('"Three"', `[{"type":"text","text":"Three",${mark}}]`),
  );
});

test('instructions in blocks are marked at the last one with a text', () => {
  const json = `{"system":[{"type":"text","text":"${long}"},{"type":"text","text":" "}],${turns}}`;
  expect(sent(json)).toContain(`"system":[{${mark},"type":"text","text":"${long}"},{"type":"text","text":" "}]`);
});

test('the marks ask for an hour for a conversation that pauses', () => {
  expect(sent(`{"system":"${long}",${turns}}`, { ...reuse, lifetime: '1h' })).toContain(
    `"text":"${long}","cache_control":{"type":"ephemeral","ttl":"1h"}}]`,
  );
});

test('thinking, calls and blank texts are never marked', () => {
  const blank = '{"role":"user","content":[{"type":"text","text":" "}]}';
  const json = `{"system":"${long}","messages":[{"role":"user","content":" "},{"role":"assistant","content":"1"},${blank}]}`;
  expect(sent(json)).toBe(json.replace(`"${long}"`, `[{"type":"text","text":"${long}",${mark}}]`));
});

describe('a first question', () => {
  const json = `{"system":"${long}","messages":[{"role":"user","content":"${long}"}]}`;
  test('without tools is passed on as it is', () => {
    const request = requestOf(json);
    expect(markedMessages(request, marking, reuse)).toBe(request);
  });

  test('is marked behind its instructions if other requests began like it', () => {
    expect(sent(json, { ...reuse, isShared: true })).toBe(
      json.replace(`"system":"${long}"`, `"system":[{"type":"text","text":"${long}",${mark}}]`),
    );
  });
});

test('a prompt that is too short is passed on as it is', () => {
  const request = requestOf(`{"system":"Be brief.",${turns}}`);
  expect(markedMessages(request, { ...marking, leastTokens: 2_000 }, reuse)).toBe(request);
});

const own = '"cache_control":{"type":"ephemeral"}';
test.each([
  ['the request', `{${own},"system":"${long}",${turns}}`],
  ['a tool', `{"tools":[{"name":"a",${own}}],"system":"${long}",${turns}}`],
  ['instructions', `{"system":[{"type":"text","text":"${long}",${own}}],${turns}}`],
  ['a block', `{"system":"${long}","messages":[{"role":"user","content":[{"type":"text","text":"a",${own}}]}]}`],
  [
    'a part of a result',
    `{"system":"${long}","messages":[{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"a",${own}}]}]}]}`,
  ],
])('a mark of the client’s own on %s leaves all to the client', (_, json) => {
  const request = requestOf(json);
  expect(markedMessages(request, marking, { ...reuse, isShared: true })).toBe(request);
});
