import type { NativeRequest } from '@tallyport/wire';
import { parseExactJson } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { isMembers } from '../read.ts';
import { withAcceptedMessages } from './accepted-messages.ts';

function requestOf(json: string): NativeRequest {
  const members = parseExactJson(json);
  if (!isMembers(members)) throw new TypeError('no object');
  const body = Buffer.from(json);
  const rest = { headers: {}, model: 'm', limit: 1, isUntranslatable: false };
  return { dialect: 'anthropic-messages', body, members, ...rest };
}

const sent = (json: string): string => withAcceptedMessages(requestOf(json)).toString();

const conversation = (id: string): string =>
  `{ "messages": [{"role":"user","content":"Hi"},` +
  `{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"f","input":{"id":1234567890123456789}}]},` +
  `{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":"ok"}]}], "max_tokens" : 1.0 }`;

test('a conversation with accepted ids is passed on byte for byte', () => {
  const json = conversation('toolu_01');
  expect(sent(json)).toBe(json);
});

test('ids of another vendor are replaced in calls and results, and digits stay', () => {
  const replaced = sent(conversation('functions.f:0'));
  expect(replaced.match(/functions_f_0_\w{8}/g)).toHaveLength(2);
  expect(new Set(replaced.match(/functions_f_0_\w{8}/g)).size).toBe(1);
  expect(replaced).not.toContain('functions.f:0');
  expect(replaced).toContain('{"id":1234567890123456789}');
  expect(replaced).toContain('"max_tokens" : 1.0 }');
});

test("thinking without a signature is another model's: it is left out, and so is a message of nothing else", () => {
  const thought = (signature: string) => `{"type":"thinking","thinking":"Hm.","signature":"${signature}"}`;
  const turns = (...said: string[]) =>
    `{"messages":[${said.map((content) => `{"role":"assistant","content":[${content}]}`).join()}]}`;
  const text = '{"type":"text","text":"Yes"}';
  expect(sent(turns(`${thought('')},${text}`, thought(''), `${thought('c2ln')},${text}`))).toBe(
    turns(text, `${thought('c2ln')},${text}`),
  );
});
