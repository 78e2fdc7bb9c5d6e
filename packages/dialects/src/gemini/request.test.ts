import { describe, expect, test } from 'vitest';
import { geminiDialect, geminiTokenCount } from './index.ts';
import { bodyOf, requestOf, translatedOf } from './testing/request.ts';

const chatOf = (members?: object) => translatedOf(bodyOf(members));
const user = (...parts: object[]) => ({ role: 'user', parts });
const model = (...parts: object[]) => ({ role: 'model', parts });
const config = (generationConfig: object) => ({ generationConfig });

test.each([
  ['camelCase', ['systemInstruction', 'generationConfig', 'maxOutputTokens', 'inlineData', 'mimeType']],
  ['snake_case', ['system_instruction', 'generation_config', 'max_output_tokens', 'inline_data', 'mime_type']],
])('reads %s', (_name, [instruction, generation, limit, inline, type]) => {
  const body = {
    contents: [user({ text: 'What is it?' }, { [inline!]: { [type!]: 'image/png', data: 'a-_=' } })],
    [instruction!]: { parts: [{ text: 'Be brief.' }] },
    [generation!]: { [limit!]: 5 },
  };
  expect(chatOf(body)).toEqual({
    model: 'gemini-3-pro',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,a+/=' } },
        ],
      },
    ],
    max_completion_tokens: 5,
  });
});

test('members of the caller keep their names', () => {
  const args = { my_key: 1 };
  const contents = [
    user({ text: 'Hi' }),
    model({ function_call: { name: 'f', args } }),
    user({ function_response: { name: 'f', response: { my_key: 2 } } }),
  ];
  const declared = { name: 'f', parameters_json_schema: { type: 'object', properties: { my_key: {} } } };
  const chat = chatOf({ contents, tools: [{ function_declarations: [declared] }] });
  expect(chat.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'f', arguments: '{"my_key":1}' } }],
    },
    { role: 'tool', tool_call_id: 'call_0', content: '{"my_key":2}' },
  ]);
  expect(chat.tools).toEqual([
    { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { my_key: {} } } } },
  ]);
});

test('responses find their calls by id, else by name in order', () => {
  const called = (name: string, id?: string) => ({ functionCall: { name, ...(id && { id }) } });
  const answered = (name: string, id?: string) => ({ functionResponse: { name, ...(id && { id }), response: {} } });
  const contents = [
    model(called('f'), called('g', 'own'), called('f')),
    user(answered('g', 'own'), answered('f')),
    user(answered('f', 'call_unknown')),
  ];
  const ids = chatOf({ contents }).messages.flatMap((message) =>
    message.role === 'tool' ? [message.tool_call_id] : [],
  );
  expect(ids).toEqual(['own', 'call_0', 'call_2']);
});

// Gemini CLI sends them twice when it continues a session.
test('equal responses to one call are one, and another one is refused', () => {
  const called = (id: string) => ({ functionCall: { name: 'f', id } });
  const answered = (id: string, value: number) => ({ functionResponse: { name: 'f', id, response: { value } } });
  const of = (...parts: object[]) => chatOf({ contents: [model(called('a'), called('b')), user(...parts)] }).messages;
  expect(of(answered('a', 1), answered('a', 1), answered('b', 2), answered('b', 2))).toEqual(
    of(answered('a', 1), answered('b', 2)),
  );
  expect(() => of(answered('a', 1), answered('b', 2), answered('a', 3))).toThrow('no earlier functionCall of f waits');
});

test('signatures travel with what they sign, and the placeholder is left out', () => {
  const call = { name: 'f', id: 'a' };
  const contents = [
    model({ text: 'Hm.', thought: true }, { text: 'Yes.', thoughtSignature: 's1' }),
    user({ text: 'Go on.' }),
    model(
      { functionCall: call, thoughtSignature: 's2' },
      { functionCall: { ...call, id: 'b' }, thoughtSignature: 'skip_thought_signature_validator' },
    ),
  ];
  const google = { thought_signature: 's2' };
  const made = { type: 'function', function: { name: 'f', arguments: '{}' } };
  expect(chatOf({ contents }).messages).toEqual([
    {
      role: 'assistant',
      content: 'Yes.',
      reasoning_content: 'Hm.',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 's1', format: 'google-gemini-v1', index: 0 }],
    },
    { role: 'user', content: 'Go on.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', ...made, extra_content: { google } },
        { id: 'b', ...made },
      ],
    },
  ]);
});

test('a schema of the vendor becomes a JSON schema', () => {
  const responseSchema = {
    type: 'OBJECT',
    property_ordering: ['min_items'],
    required: ['min_items'],
    properties: {
      min_items: { type: 'ARRAY', min_items: '1', items: { type: 'STRING', enum: ['a'], nullable: true } },
      other: { anyOf: [{ type: 'INTEGER' }, { type: 'NULL' }], example: 1 },
    },
  };
  expect(chatOf(config({ responseMimeType: 'application/json', responseSchema })).response_format).toEqual({
    type: 'json_schema',
    json_schema: {
      name: 'answer',
      schema: {
        type: 'object',
        required: ['min_items'],
        properties: {
          min_items: { type: 'array', minItems: 1, items: { type: ['string', 'null'], enum: ['a', null] } },
          other: { anyOf: [{ type: 'integer' }, { type: 'null' }], examples: [1] },
        },
      },
    },
  });
});

test.each<[object, object]>([
  [{ thinkingConfig: { thinkingBudget: 0 } }, { reasoning: { effort: 'none' } }],
  [{ thinkingConfig: { thinkingBudget: -1 } }, {}],
  [{ thinkingConfig: { thinkingBudget: 8192, includeThoughts: true } }, { reasoning: { max_tokens: 8192 } }],
  [{ thinkingConfig: { thinkingLevel: 'HIGH' } }, { reasoning: { effort: 'high' } }],
  [{ thinkingConfig: { thinkingLevel: 'XHIGH' } }, { reasoning: { effort: 'xhigh' } }],
  [{ thinkingConfig: { includeThoughts: true } }, { reasoning: { enabled: true } }],
  [
    { temperature: 1, topP: 0.5, topK: 40, seed: 3 },
    { temperature: 1, top_p: 0.5, top_k: 40, seed: 3 },
  ],
  [
    { candidateCount: 2, stopSequences: ['END'] },
    { n: 2, stop: ['END'] },
  ],
  [
    { responseLogprobs: true, logprobs: 2 },
    { logprobs: true, top_logprobs: 2 },
  ],
  [{ responseMimeType: 'application/json' }, { response_format: { type: 'json_object' } }],
  [{ responseModalities: ['TEXT', 'IMAGE'] }, { modalities: ['text', 'image'] }],
])('generationConfig %j', (generationConfig, expected) => {
  expect(chatOf(config(generationConfig))).toEqual({ ...chatOf(), ...expected });
});

test.each([
  ['AUTO', [], 'auto'],
  ['ANY', [], 'required'],
  ['ANY', ['f'], { type: 'function', function: { name: 'f' } }],
  ['NONE', [], 'none'],
  ['VALIDATED', [], 'validated'],
  [
    'ANY',
    ['f', 'g'],
    {
      type: 'allowed_tools',
      allowed_tools: {
        mode: 'required',
        tools: ['f', 'g'].map((name) => ({ type: 'function', function: { name } })),
      },
    },
  ],
])('the mode %s with %j', (mode, allowedFunctionNames, expected) => {
  const tools = [{ functionDeclarations: [{ name: 'f' }, { name: 'g' }] }];
  const toolConfig = { functionCallingConfig: { mode, allowedFunctionNames } };
  expect(chatOf({ tools, toolConfig }).tool_choice).toEqual(expected);
  expect(chatOf({ toolConfig })).toEqual(chatOf());
});

const refusals: [object, string][] = [
  [{ contents: [] }, 'contents'],
  [{ contents: [user({ text: 'a', inlineData: { mimeType: 'image/png', data: 'aa' } })] }, 'contents[0].parts[0]'],
  [{ contents: [user({})] }, 'contents[0].parts[0]'],
  [
    { contents: [user({ inlineData: { mimeType: 'video/mp4', data: 'aa' } })] },
    'contents[0].parts[0].inlineData.mimeType',
  ],
  [{ contents: [user({ fileData: { fileUri: 'gs://a/b' } })] }, 'contents[0].parts[0].fileData.fileUri'],
  [{ contents: [user({ functionResponse: { name: 'f' } })] }, 'contents[0].parts[0].functionResponse'],
  [{ contents: [model({ executableCode: {} })] }, 'contents[0].parts[0].executableCode'],
  [{ tools: [{ google_search: {} }] }, 'tools[0].google_search'],
  [{ tools: [{ googleSearch: {} }] }, 'tools[0].googleSearch'],
  [{ generation_config: { stop_sequences: 'x' } }, 'generation_config.stop_sequences'],
  [{ cachedContent: 'cachedContents/1' }, 'cachedContent'],
  [config({ speechConfig: {} }), 'generationConfig.speechConfig'],
  [config({ responseMimeType: 'text/x.enum' }), 'generationConfig.responseMimeType'],
  [config({ thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } }), 'generationConfig.thinkingConfig'],
  [config({ stopSequences: ['1', '2', '3', '4', '5', '6'] }), 'generationConfig.stopSequences'],
];

test.each(refusals)('%j is refused by name', (members, param) => {
  const error = thrownBy(() => chatOf(members));
  expect(error).toMatchObject({ status: 400, param, message: expect.stringContaining(`${param}: `) });
});

test.each(['gemini-3-pro', ':generateContent', 'gemini-3-pro:', 'gemini-3-pro:embedContent'])(
  'the address %s is not found',
  (path) => {
    expect(thrownBy(() => geminiDialect.read(requestOf(bodyOf(), path)))).toMatchObject({ code: 'not_found' });
  },
);

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}

test('the method follows the last colon, and decides how the answer is sent', () => {
  const at = (path: string, query?: string) => geminiDialect.read(requestOf(bodyOf(), path, query));
  const usage = { stream: true, stream_options: { include_usage: true } };
  expect(at('ollama/llama3:8b:generateContent').chat).toEqual({ ...chatOf(), model: 'ollama/llama3:8b' });
  expect(at('a/b:streamGenerateContent')).toMatchObject({ chat: { model: 'a/b', ...usage }, framing: 'array' });
  expect(at('a/b:streamGenerateContent', 'alt=sse')).toMatchObject({ framing: 'events' });
});

describe('countTokens', () => {
  const counted = (body: object) => geminiTokenCount.read(requestOf(body, 'm:countTokens'));

  test('reads the contents alone, or a whole request', () => {
    const { chat, native } = counted(bodyOf());
    expect(chat).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
    const whole = { model: 'models/x', ...bodyOf() };
    const wrapped = counted({ generate_content_request: whole });
    expect(wrapped.chat).toEqual(chat);
    expect(wrapped.native).toMatchObject({ ...native, members: whole, body: Buffer.from(JSON.stringify(whole)) });
    expect(geminiTokenCount.answer(5)).toEqual({ totalTokens: 5 });
  });

  test('names what is wrong in either', () => {
    expect(counted({}).untranslatable).toMatchObject({ param: 'contents' });
    expect(counted({ generateContentRequest: { contents: [] } }).untranslatable).toMatchObject({
      param: 'generateContentRequest.contents',
    });
    const cached = { generateContentRequest: { ...bodyOf(), cachedContent: 'cachedContents/1' } };
    expect(thrownBy(() => counted(cached))).toMatchObject({ param: 'generateContentRequest.cachedContent' });
  });
});
