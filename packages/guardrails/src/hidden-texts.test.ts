import { expect, test } from 'vitest';
import { compileGuard } from './guard.ts';
import { redactRequest } from './request.ts';
import { createTally } from './tally.ts';

const { request: check } = compileGuard([{ request: { detect: { email: 'redact' } } }]);
const redacted = (document: object): unknown =>
  redactRequest(document, check!, { part: 'request', tally: createTally() });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Places where a person can write what is not a text of the API; `@` stands for an address. */
test.each<[string, (text: string) => object]>([
  ['the name of a user', (text) => ({ messages: [{ role: 'user', name: text, content: 'Hi' }] })],
  [
    'the format of a property',
    (text) => ({
      tools: [{ function: { name: 'f', parameters: { properties: { to: { type: 'string', format: text } } } } }],
    }),
  ],
  [
    'names of properties, which stay those that are required',
    (text) => ({ input_schema: { type: 'object', properties: { [text]: { type: 'string' } }, required: [text] } }),
  ],
  ['names of definitions', (text) => ({ schema: { $defs: { [text]: {} }, definitions: { [text]: {} } } })],
  [
    'what a schema has as default',
    (text) => ({ schema: { properties: { to: { default: { name: text, [text]: 1 } } } } }),
  ],
  ['what a schema has as examples', (text) => ({ schema: { properties: { to: { examples: [{ url: text }] } } } })],
  ['what a schema allows', (text) => ({ schema: { enum: [{ id: text }], const: { id: text } } })],
  ['a text file as data URL', (text) => ({ file: { file_data: `data:text/plain;base64,${base64(`To ${text}, é`)}` } })],
  ['one with its character set', (text) => ({ file_url: `data:text/csv;charset=utf-8;base64,${base64(text)}` })],
  ['one without base64', (text) => ({ image_url: { url: `data:text/html,${encodeURIComponent(`<a> ${text}`)}` } })],
  ['a JSON file', (text) => ({ inlineData: { mimeType: 'application/json', data: base64(`{"to":"${text}"}`) } })],
  [
    'a text file with its type beside it',
    (text) => ({ source: { type: 'base64', media_type: 'text/markdown', data: base64(text) } }),
  ],
])('%s is inspected', (_name, documentWith) => {
  expect(redacted(documentWith('ada@example.com'))).toEqual(documentWith('[email]'));
  const clean = documentWith('Ada');
  expect(redacted(clean)).toEqual(clean);
});

test.each<object>([
  { messages: [{ role: 'tool', name: 'a@b.example', content: '' }] },
  { audio: { format: 'a@b.example' } },
  { image_url: { url: `data:image/png;base64,${base64('a@b.example')}` } },
  { inlineData: { mimeType: 'image/png', data: base64('a@b.example') } },
  { file: { file_data: `data:text/plain;base64,${Buffer.from([0xff, 0xfe, 0x41]).toString('base64')}` } },
])('%j stays as it is', (document) => expect(redacted(document)).toEqual(document));
