import { type NativeDialect, type NativeRequest, parseExactJson } from '@tallyport/wire';
import { describe, expect, test } from 'vitest';
import { isMembers } from '../read.ts';
import { repairedRequest } from './repaired-request.ts';

function requestOf(dialect: NativeDialect, json: string): NativeRequest {
  const members = parseExactJson(json);
  if (!isMembers(members)) throw new TypeError('no object');
  return { dialect, body: Buffer.from(json), members, headers: {}, model: 'm', limit: 1, isUntranslatable: false };
}

/** Both forms of the body must say the same. */
function repaired(dialect: NativeDialect, json: string): string {
  const request = repairedRequest(requestOf(dialect, json));
  const body = request.body.toString();
  expect(JSON.stringify(parseExactJson(body))).toBe(JSON.stringify(request.members));
  return body;
}

describe('a conversation of the Messages API', () => {
  const sent = (json: string): string => repaired('anthropic-messages', json);
  const turnsOf = (body: object) => JSON.parse(sent(JSON.stringify(body))).messages;

  const conversation = (id: string): string =>
    `{ "messages": [{"role":"user","content":"Hi"},` +
    `{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"f","input":{"id":1234567890123456789}}]},` +
    `{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":"ok"}]}], "max_tokens" : 1.0 }`;

  test('with accepted ids is passed on byte for byte', () => {
    const json = conversation('toolu_01');
    expect(sent(json)).toBe(json);
  });

  test('has ids of another vendor replaced in calls and results, and digits stay', () => {
    const replaced = sent(conversation('functions.f:0'));
    expect(replaced.match(/functions_f_0_\w{8}/g)).toHaveLength(2);
    expect(new Set(replaced.match(/functions_f_0_\w{8}/g)).size).toBe(1);
    expect(replaced).not.toContain('functions.f:0');
    expect(replaced).toContain('{"id":1234567890123456789}');
    expect(replaced).toContain('{"role":"user","content":"Hi"}');
    expect(replaced).toContain('"max_tokens" : 1.0 }');
  });

  test('has an id of its own for each call, where a vendor numbers its calls anew in each answer', () => {
    const use = (id: string, city: string) => ({ type: 'tool_use', id, name: 'f', input: { city } });
    const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });
    const called = (...calls: object[]) => ({ role: 'assistant', content: calls });
    const answered = (...results: object[]) => ({ role: 'user', content: results });
    const messages = [
      called(use('call_0', 'Rome'), use('call_1', 'Paris')),
      answered(result('call_1', 'Paris'), result('call_0', 'Rome')),
      called(use('call_0', 'Oslo'), use('call_0', 'Bern')),
      answered(result('call_0', 'Oslo'), result('call_0', 'Bern')),
      called(use('call_0', 'Bonn')),
      answered(result('call_0', 'Bonn')),
    ];
    expect(turnsOf({ messages })).toEqual([
      ...messages.slice(0, 2),
      called(use('call_0_2', 'Oslo'), use('call_0_3', 'Bern')),
      answered(result('call_0_2', 'Oslo'), result('call_0_3', 'Bern')),
      called(use('call_0_4', 'Bonn')),
      answered(result('call_0_4', 'Bonn')),
    ]);
  });

  test("has no thinking of another model's, which lacks a signature, and no message of nothing else", () => {
    const thought = (signature: string) => `{"type":"thinking","thinking":"Hm.","signature":"${signature}"}`;
    const turns = (...said: string[]) =>
      `{"messages":[${said.map((content) => `{"role":"assistant","content":[${content}]}`).join()}]}`;
    const text = '{"type":"text","text":"Yes"}';
    expect(sent(turns(`${thought('')},${text}`, thought(''), `${thought('c2ln')},${text}`))).toBe(
      turns(text, `${thought('c2ln')},${text}`),
    );
  });

  test('has no empty texts, in messages and in results', () => {
    const text = (said: string) => ({ type: 'text', text: said });
    const result = (...content: object[]) => ({ type: 'tool_result', tool_use_id: 'a', content });
    const use = { type: 'tool_use', id: 'a', name: 'f', input: {} };
    expect(
      turnsOf({
        messages: [
          { role: 'user', content: [text('Hi'), text(' \n')] },
          { role: 'assistant', content: [text(''), use] },
          { role: 'user', content: [result(text(''), text('Rain.')), text('')] },
          { role: 'assistant', content: '' },
          { role: 'user', content: [text('')] },
          { role: 'user', content: 'And now?' },
        ],
      }),
    ).toEqual([
      { role: 'user', content: [text('Hi')] },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [result(text('Rain.'))] },
      { role: 'user', content: 'And now?' },
    ]);
  });
});

describe.each(['openai-responses', 'openai-compact'] as const)('a conversation of %s', (dialect) => {
  const inputOf = (input: object[]) => JSON.parse(repaired(dialect, JSON.stringify({ input, model: 'm' }))).input;
  const call = (callId: string, more: object = {}) => ({
    type: 'function_call',
    call_id: callId,
    name: 'f',
    arguments: '{}',
    ...more,
  });
  const output = (callId: string) => ({ type: 'function_call_output', call_id: callId, output: 'ok' });

  test('that its vendor accepts is passed on byte for byte', () => {
    const json = `{"input":[ {"type":"function_call","call_id":"${'a'.repeat(64)}","id":"fc_1","n":1.0}, {"role":"user","content":""}]}`;
    expect(repaired(dialect, json)).toBe(json);
  });

  test('has ids of up to 64 characters, the same for a call and its result, and never one for two calls', () => {
    const [one, other] = ['1', '2'].map((end) => `${'a'.repeat(64)}${end}`) as [string, string];
    const input = inputOf([call(one), call(other), output(other), output(one)]);
    const ids = input.map((item: { call_id: string }) => item.call_id);
    expect(ids).toEqual([ids[0], ids[1], ids[1], ids[0]]);
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids.map(({ length }: string) => length)).toEqual([40, 40, 40, 40]);
  });

  test('has an id of its own for each call', () => {
    const custom = { type: 'custom_tool_call', call_id: 'call_0', name: 'f', input: '' };
    expect(
      inputOf([call('call_0'), output('call_0'), custom, { ...output('call_0'), type: 'custom_tool_call_output' }]),
    ).toEqual([
      call('call_0'),
      output('call_0'),
      { ...custom, call_id: 'call_0_2' },
      { ...output('call_0_2'), type: 'custom_tool_call_output' },
    ]);
  });

  test('has no ids of items that its vendor did not make, apart from what is sealed with them', () => {
    const said = { type: 'message', role: 'assistant', content: 'Hi' };
    const reasoning = { type: 'reasoning', id: 'reasoning-1', summary: [], encrypted_content: 'gAAAA' };
    expect(
      inputOf([
        { ...said, id: 'chatcmpl-1' },
        { role: 'user', content: 'Hi', id: 'user-1' },
        { ...said, id: 'msg_1' },
        call('a', { id: 'fc_one.two' }),
        call('b', { id: `fc_${'x'.repeat(62)}` }),
        call('c', { id: 'fc_1' }),
        reasoning,
      ]),
    ).toEqual([
      said,
      { role: 'user', content: 'Hi' },
      { ...said, id: 'msg_1' },
      call('a'),
      call('b'),
      call('c', { id: 'fc_1' }),
      reasoning,
    ]);
  });
});

test('a conversation of the Interactions API has no thinking that this gateway sealed', () => {
  const sealed = '{"type":"thought","signature":"dGFsbHlwb3J0LTEuYQ=="}';
  const step = '{"type":"user_input", "n":1.0}';
  expect(repaired('gemini-interactions', `{"input":[ ${sealed},${step}]}`)).toBe(`{"input":[${step}]}`);
});

test('the same request is returned if there is nothing to repair, or nothing is known of its API', () => {
  for (const dialect of ['anthropic-messages', 'gemini', 'gemini-interactions', 'openai-responses'] as const)
    for (const json of ['{"model":"m"}', '{"input":"Hi","messages":"Hi"}', '{"input":[1],"messages":[null]}']) {
      const request = requestOf(dialect, json);
      expect(repairedRequest(request)).toBe(request);
    }
});
