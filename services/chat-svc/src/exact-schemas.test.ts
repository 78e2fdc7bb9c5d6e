import type { RequestHead } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { type Dialect, geminiDialect, geminiInteractions, messagesDialect, openAiResponses } from '@tallyport/dialects';
import { chatProviders } from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from '../../../tests/support/scale.ts';
import { dialectRequest } from './dialects/speak-dialect.ts';
import { asChatRequest, parseRequest } from './parse-request.ts';

/** Numbers that a double cannot hold: integers of 64 bits, and fractions with more digits than it has. */
const digits = fc.oneof(
  fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 64n - 1n }).map((value) => String(value | 1n)),
  fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 63n }).map((value) => `-${String(value | 1n)}`),
  fc.bigInt({ min: 10n ** 18n, max: 10n ** 19n }).map((value) => `0.${String(value | 1n)}`),
);

/** Where a document has such a number, as JSON text: bounds, values, and what the client's functions take and return. */
const documents = fc.record({
  maximum: digits,
  minimum: digits,
  value: digits,
  constant: digits,
  usual: digits,
  argument: digits,
  result: digits,
});
type Document = typeof documents extends fc.Arbitrary<infer Value> ? Value : never;

const schemaOf = ({ maximum, minimum, value, constant, usual }: Document): string =>
  `{"type":"object","properties":{"id":{"type":"integer","minimum":${minimum},"maximum":${maximum}},` +
  `"kind":{"type":"number","enum":[1,${value}],"default":${usual}},"fixed":{"const":${constant}}},"required":["id"]}`;

interface Api {
  name: string;
  body(document: Document): string;
  chat(body: string): ChatRequest;
}

const headOf = (path: string) => ({ path, headers: {} }) as unknown as RequestHead;

const throughDialect = (dialect: Dialect, path: string) => (body: string) => {
  const read = dialect.read(dialectRequest(headOf(path), Buffer.from(body)));
  return asChatRequest(read.chat);
};

const apis: readonly Api[] = [
  {
    name: 'chat completions',
    body: (document) =>
      `{"model":"m","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[` +
      `{"id":"call_1","type":"function","function":{"name":"f","arguments":${JSON.stringify(`{"id":${document.argument}}`)}}}]},` +
      `{"role":"tool","tool_call_id":"call_1","content":${JSON.stringify(`{"id":${document.result}}`)}}],` +
      `"tools":[{"type":"function","function":{"name":"f","parameters":${schemaOf(document)}}}]}`,
    chat: (body) => parseRequest(Buffer.from(body), headOf('')).request,
  },
  {
    name: 'Messages',
    body: (document) =>
      `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[` +
      `{"type":"tool_use","id":"call_1","name":"f","input":{"id":${document.argument}}}]},{"role":"user","content":[` +
      `{"type":"tool_result","tool_use_id":"call_1","content":${JSON.stringify(`{"id":${document.result}}`)}}]}],` +
      `"tools":[{"name":"f","input_schema":${schemaOf(document)}}]}`,
    chat: throughDialect(messagesDialect, ''),
  },
  {
    name: 'Responses',
    body: (document) =>
      `{"model":"m","store":false,"input":[{"role":"user","content":"Hi"},{"type":"function_call","call_id":"call_1",` +
      `"name":"f","arguments":${JSON.stringify(`{"id":${document.argument}}`)}},{"type":"function_call_output",` +
      `"call_id":"call_1","output":${JSON.stringify(`{"id":${document.result}}`)}}],` +
      `"tools":[{"type":"function","name":"f","strict":false,"parameters":${schemaOf(document)}}]}`,
    chat: throughDialect(openAiResponses, ''),
  },
  {
    name: 'Gemini',
    body: (document) =>
      `{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"f",` +
      `"args":{"id":${document.argument}}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f",` +
      `"response":{"id":${document.result}}}}]}],` +
      `"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":${schemaOf(document)}}]}]}`,
    chat: throughDialect(geminiDialect, 'models/m:generateContent'),
  },
  {
    name: 'Interactions',
    body: (document) =>
      `{"model":"m","store":false,"input":"Hi","tools":[{"type":"function","name":"f","parameters":${schemaOf(document)}}]}`,
    chat: throughDialect(geminiInteractions, ''),
  },
];

/** The number as a member's value, or inside a text. */
const lost = (document: Document, sent: string, api: Api): string[] =>
  Object.values(document).filter((number) => api.body(document).includes(number) && !sent.includes(number));

const providers = chatProviders.filter(({ hasChats }) => hasChats !== false);

test.each(apis)('numbers of schemas, arguments and results keep their digits: $name', (api) => {
  fc.assert(
    fc.property(documents, fc.constantFrom(...providers), fc.boolean(), (document, provider, reasoning) => {
      const request = api.chat(api.body(document));
      const offer = offerOf(provider.id, { modelName: 'vendor-model', reasoning });
      fc.pre(provider.unsupported?.({ request, stream: false }, offer) === undefined);
      const { body } = provider.request({ request, stream: false }, offer);
      expect([provider.id, ...lost(document, body, api)]).toEqual([provider.id]);
    }),
    { numRuns: runsOf(1_000) },
  );
});

test.each(apis.slice(0, 3))('the schema of an answer keeps its digits: $name', (api) => {
  const formats: Readonly<Record<string, (schema: string) => string>> = {
    'chat completions': (schema) =>
      `{"model":"m","messages":[{"role":"user","content":"Hi"}],"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}}}`,
    Messages: (schema) =>
      `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}],"output_config":{"format":{"type":"json_schema","schema":${schema}}}}`,
    Responses: (schema) =>
      `{"model":"m","store":false,"input":"Hi","text":{"format":{"type":"json_schema","name":"a","schema":${schema}}}}`,
  };
  fc.assert(
    fc.property(documents, fc.constantFrom(...providers), (document, provider) => {
      const body = formats[api.name]?.(schemaOf(document)) ?? '';
      const request = api.chat(body);
      const offer = offerOf(provider.id, { modelName: 'vendor-model' });
      fc.pre(provider.unsupported?.({ request, stream: false }, offer) === undefined);
      const sent = provider.request({ request, stream: false }, offer).body;
      const numbers = Object.values(document).filter((number) => body.includes(number));
      expect([provider.id, ...numbers.filter((number) => !sent.includes(number))]).toEqual([provider.id]);
    }),
    { numRuns: runsOf(500) },
  );
});
