import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders, sharedModel } from '@tallyport/simulator';
import { type ChatBench, startChatBench } from '../testing/chat-bench.ts';

const [sandbox = ''] = sandboxProviders.map(({ id }) => id);
let bench: ChatBench;
beforeAll(async () => {
  const offer = offerOf(sandbox, {
    modelName: sharedModel,
    vision: false,
    structuredOutputs: false,
    jsonOutput: false,
    tools: false,
  });
  bench = await startChatBench({
    catalogue: catalogueOf(
      modelOf('blind', [offer], { jsonOutput: false, structuredOutputs: false }),
      modelOf('vectors', [offerOf('openai', { modelName: 'text-embedding-ada-002' })], {
        outputModalities: ['embeddings'],
      }),
    ),
    environment: { OPENAI_API_KEY: 'key' },
  });
});
afterAll(() => bench.close());

const principal = { accountId: 'account', keyId: 'key' };
test("a refusal names a member of Google's embeddings", async () => {
  const body = { content: { parts: [{ text: 'Hi' }] }, output_dimensionality: 7 };
  const { error } = await bench.inApi('generateContent', body, { principal, path: 'vectors:embedContent' });
  expect(error).toMatchObject({ code: 'unsupported_capability', param: 'output_dimensionality' });
});

test('a refusal names the form of tools that the client has', async () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const named = async (members: object) => (await bench.ask({ model: 'blind', messages, ...members })).error?.param;
  expect(await named({ functions: [{ name: 'f' }] })).toBe('functions');
  expect(await named({ tools: [{ type: 'function', function: { name: 'f' } }] })).toBe('tools');
});

const schema = { type: 'object', properties: {}, additionalProperties: false };
const image = 'iVBORw0KGgo=';

const cases = {
  messages: [
    ['output_config.format', { output_config: { format: { type: 'json_schema', schema } } }],
    ['output_format', { output_format: { type: 'json_schema', schema } }],
  ],
  responses: [
    ['text.format', { text: { format: { type: 'json_schema', name: 'x', schema } } }],
    [
      'input',
      {
        input: [{ role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${image}` }] }],
      },
    ],
  ],
  generateContent: [
    [
      'generationConfig.responseJsonSchema',
      { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } },
    ],
    ['generation_config.response_mime_type', { generation_config: { response_mime_type: 'application/json' } }],
    ['generationConfig.responseMimeType', { generationConfig: { responseMimeType: 'application/json' } }],
    ['contents', { contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: image } }] }] }],
  ],
} as const;

const bodies = {
  messages: { model: 'blind', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { model: 'blind', input: 'Hi' },
  generateContent: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
};

const all = (Object.keys(cases) as (keyof typeof cases)[]).flatMap((api) =>
  cases[api].map(([param, members]) => [api, param, members] as const),
);

test.each(all)('%s: a refusal of the model names %s', async (api, param, members) => {
  const path = api === 'generateContent' ? { path: 'blind:generateContent' } : {};
  const { error } = await bench.inApi(api, { ...bodies[api], ...members }, { principal, ...path });
  expect(error).toMatchObject({ code: 'unsupported_capability', param });
  expect(error?.message).toContain(`\`${param}\``);
});
