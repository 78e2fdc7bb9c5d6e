import type { Guardrails } from '@tallyport/contracts';
import { describe, expect, test } from 'vitest';
import { redactAnswer } from './answer.ts';
import { compileGuard } from './guard.ts';
import { redactRequest } from './request.ts';
import { createTally } from './tally.ts';

const secret = 'ada@example.com';
const redact: Guardrails = { request: { detect: { email: 'redact', card: 'redact' } } };

function redacted(document: unknown, policies: readonly Guardrails[] = [redact]) {
  const { request } = compileGuard(policies);
  if (request === undefined) throw new Error('no rules');
  const tally = createTally();
  return { document: redactRequest(document, request, { part: 'request', tally }), findings: tally.findings() };
}

/** Requests of every API; `@` stands for a text with an address, `[email]` for the same without it. */
const requests: Record<string, object> = {
  chat: {
    model: 'm',
    user: '@',
    messages: [
      { role: 'system', content: '@' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '@' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aa' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"id":"@"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '@' },
    ],
    tools: [{ type: 'function', function: { name: 'f', description: '@', parameters: { type: 'object' } } }],
  },
  messages: {
    model: 'm',
    max_tokens: 1,
    system: [{ type: 'text', text: '@' }],
    messages: [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't', name: 'f', input: { id: '@', '@': [{ name: '@' }] } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: '@' }] },
          { type: 'document', title: '@', source: { type: 'text', media_type: 'text/plain', data: '@' } },
        ],
      },
    ],
  },
  responses: {
    model: 'm',
    instructions: '@',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: '@' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":["@"]}' },
      { type: 'function_call_output', call_id: 'c', output: '@' },
      { type: 'custom_tool_call', call_id: 'd', name: 'g', input: '@' },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: '@' }] },
    contents: [
      { role: 'user', parts: [{ text: '@' }, { inlineData: { mimeType: 'image/png', data: 'aa' } }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { name: '@' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { data: '@' } } }] },
    ],
  },
  interactions: {
    model: 'm',
    system_instruction: '@',
    input: [
      {
        type: 'user_input',
        content: [
          { type: 'text', text: '@' },
          { type: 'image', mime_type: 'image/png', data: 'aa' },
        ],
      },
      { type: 'thought', summary: [{ type: 'text', text: '@' }], signature: 'aa' },
      { type: 'function_call', id: 'c', name: 'f', arguments: { name: '@' } },
      { type: 'function_result', call_id: 'c', name: 'f', result: { id: '@' } },
      { type: 'function_call', id: 'd', name: 'f', arguments: {} },
      { type: 'function_result', call_id: 'd', result: [{ type: 'text', text: '@' }] },
    ],
  },
  embeddings: { model: 'm', input: ['@', '@'] },
  moderations: { model: 'm', input: [{ type: 'text', text: '@' }] },
  speech: { model: 'm', voice: 'v', input: '@', instructions: '@' },
  images: { model: 'm', prompt: '@' },
};

const withText = (request: object, text: string): unknown => JSON.parse(JSON.stringify(request).replaceAll('@', text));

describe('every text of a request is redacted, and nothing else', () => {
  test.each(Object.entries(requests))('%s', (_api, request) => {
    expect(redacted(withText(request, `Ask ${secret}!`)).document).toEqual(withText(request, 'Ask [email]!'));
  });
});

test.each([[4_111_111_111_111_111], [[4_111_111_111_111_111]], [{ id: 4_111_111_111_111_111 }]])(
  'a decision about the number of a card is inspected: %j',
  (state) => {
    const { document, findings } = redacted({ state });
    expect(JSON.stringify(document)).not.toContain('4111');
    expect(findings).toEqual([{ rule: 'card', action: 'redact', count: 1 }]);
  },
);

test('the digits of a large number stay, unless they are those of a card', () => {
  const request = (id: unknown) => ({ contents: [{ parts: [{ functionCall: { name: 'f', args: { id } } }] }] });
  const digits = JSON.rawJSON('12345678901234567890');
  expect(redacted(request(digits)).document).toEqual(request(digits));
  expect(redacted(request(JSON.rawJSON('6212345678901265431'))).document).toEqual(request('[card]'));
  expect(JSON.stringify(redacted({ seed: digits }).document)).toBe('{"seed":12345678901234567890}');
});

test('files, ids and names are not inspected', () => {
  const patterns = [{ name: 'all', pattern: '.', action: 'block' as const }];
  const request = {
    model: 'm',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aa' } }] }],
  };
  expect(redacted(request, [{ request: { patterns } }]).document).toEqual(request);
});

describe('arguments of a tool', () => {
  const call = (args: string) => ({ function_call: { name: 'f', arguments: args } });
  const after = (args: string): string => {
    const { document } = redacted(call(args));
    return (document as ReturnType<typeof call>).function_call.arguments;
  };
  const card = '4111 1111 1111 1111';

  test.each([
    ['{"card": 4111111111111111, "n": 1.50}', '{"card": "[card]", "n": 1.50}'],
    [String.raw`{"a":"ada\u0040example.com"}`, '{"a":"[email]"}'],
    [String.raw`{"a":"\"ada@example.com\"\n"}`, String.raw`{"a":"\"[email]\"\n"}`],
    [`{"note":"${card}","note":"x"}`, '{"note":"[card]","note":"x"}'],
    [`{"x":{"a":"${card}"},"x":1}`, '{"x":{"a":"[card]"},"x":1}'],
    [`{"__proto__":"${card}"}`, '{"__proto__":"[card]"}'],
    [`{"${secret}":[null]}`, '{"[email]":[null]}'],
    ['{"card":6212345678901265431}', '{"card":"[card]"}'],
    ['[6212345678901265.431e3, 6212345678901265431.0]', '["[card]", "[card]"]'],
    ['6212345678901265431', '"[card]"'],
    [`"${secret}"`, '"[email]"'],
  ])('%s are redacted and remain JSON', (args, expected) => {
    expect(after(args)).toBe(expected);
    expect(() => JSON.parse(expected)).not.toThrow();
  });

  test.each([
    ['{"broken": ada@example.com', '{"broken": [email]'],
    [String.raw`{"cut":"ada\u0040example.com`, '{"cut":"[email]'],
    [
      String.raw`{"n":NaN,"to":"ada\u0040example.com","ip": x ada@example.com`,
      '{"n":NaN,"to":"[email]","ip": x [email]',
    ],
    [`Pay ${card}: "now"`, 'Pay [card]: "now"'],
    [card, '[card]'],
    [`{"card": ${card}}`, '{"card": [card]}'],
    [`{} ${secret}`, '{} [email]'],
  ])('%s are no JSON and are redacted as text', (args, expected) => expect(after(args)).toBe(expected));

  test.each([
    '{"n": 1.50, "n": 12345678901234567890, "e": 1E5, "s": "\\u00e9\\/"}',
    String.raw`{"a":"\ud83d\ude00 \ud83d", "b":"C:\\temp", "c":"\u00zz \x"}`,
    '{"a": {"b" : [ ]}, "c": [true,false,null,{}]}',
    '{"a": tru',
    '{"a": -',
    'no JSON, "at" all',
    ' \n',
    '',
  ])('%j are clean and stay the same', (args) => expect(after(args)).toBe(args));

  test('the same holds for answers', () => {
    const { request: check } = compileGuard([redact]);
    const message = (args: string) => ({ choices: [{ message: { tool_calls: [call(args)] } }] });
    const redaction = { part: 'answer', tally: createTally() } as const;
    const answer = redactAnswer(message(`{"note":"${card}","note":6212345678901265431}`), check!, redaction);
    expect(answer).toEqual(message('{"note":"[card]","note":"[card]"}'));
  });
});

test.each([[[64, 1882]], [[[64, 1882], [1]]], [['x', [64]]]])('the tokens %j are refused under any rules', (input) => {
  for (const request of [{ maxCharacters: 1_000 }, { detect: { email: 'redact' as const } }]) {
    expect(() => redacted({ model: 'm', input }, [{ request }])).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'unsupported_capability',
        param: 'input',
        message:
          "The account's guardrails have rules for requests, which cannot inspect tokens. Send `input` as text, or use a key of an account without such rules.",
      }),
    );
  }
});

test('findings have names and counts, never the text', () => {
  const { findings } = redacted({ input: [secret, `${secret}, 4111 1111 1111 1111`] });
  expect(findings).toEqual([
    { rule: 'email', action: 'redact', count: 2 },
    { rule: 'card', action: 'redact', count: 1 },
  ]);
});

test('a policy can only add to another one', () => {
  const block: Guardrails = { request: { detect: { email: 'block' } } };
  const size: Guardrails = { request: { maxCharacters: 5, detect: { email: 'redact' } } };
  for (const policies of [
    [block, redact],
    [redact, block],
    [block, {}],
    [{}, block],
  ]) {
    expect(() => redacted({ input: secret }, policies)).toThrow("the rule 'email'");
  }
  expect(redacted({ input: '12345' }, [redact, size]).document).toEqual({ input: '12345' });
  expect(() => redacted({ input: '12345', user: '6' }, [size, redact])).toThrow("'max_characters'");
});

test('overlapping matches leave no part of either', () => {
  const patterns = [
    { name: 'a', pattern: 'abc', action: 'redact' as const },
    { name: 'b', pattern: 'bcd', action: 'redact' as const },
  ];
  expect(redacted({ input: 'xabcdx' }, [{ request: { patterns } }]).document).toEqual({ input: 'x[a]x' });
});

test('the error names the rule and not the text', () => {
  const block: Guardrails = { request: { detect: { email: 'block' } } };
  expect(() => redacted({ input: `Ask ${secret}` }, [block])).toThrow(
    expect.objectContaining({
      status: 400,
      code: 'guardrail_blocked',
      message:
        "The request was blocked by the rule 'email' of the account's guardrails. Remove what the rule forbids, or ask an admin of the account.",
    }),
  );
});

test('of an answer, what describes it is left alone, and log probabilities are removed', () => {
  const { request: check } = compileGuard([redact]);
  const tally = createTally();
  const about = { id: secret, model: secret, usage: { cost: 1 }, metadata: { request_id: secret } };
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: secret } };
  const answer = { ...about, choices: [{ ...choice, logprobs: { content: [{ token: secret }] } }] };
  expect(redactAnswer(answer, check as NonNullable<typeof check>, { part: 'answer', tally })).toEqual({
    ...about,
    choices: [{ ...choice, logprobs: null, message: { role: 'assistant', content: '[email]' } }],
  });
});
