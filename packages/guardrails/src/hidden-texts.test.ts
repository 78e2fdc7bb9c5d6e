import { expect, test } from 'vitest';
import { compileGuard } from './guard.ts';
import { redactRequest } from './request.ts';
import { createTally } from './tally.ts';

const { request: check } = compileGuard([{ request: { detect: { email: 'redact' } } }]);
const redacted = (document: object): unknown =>
  redactRequest(document, check!, { part: 'request', tally: createTally() });
const encoded = (text: string, encoding: BufferEncoding): string => Buffer.from(text, encoding).toString('base64');
const base64 = (text: string): string => encoded(text, 'utf8');

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
  ['a format without a type', (text) => ({ schema: { anyOf: [{ format: text }] } })],
  [
    'keywords of schemas that are names elsewhere',
    (text) => ({
      parameters: { properties: { to: { type: 'object', id: text, name: text, url: text, model: text } } },
    }),
  ],
  [
    'names of properties in a property that is named like a map',
    (text) => ({ parameters: { properties: { metadata: { type: 'object', properties: { [text]: {} } } } } }),
  ],
  [
    'metadata, whose members have any name',
    (text) => ({ metadata: { [text]: 'x', id: text, url: text, model: text } }),
  ],
  ['variables of a stored prompt', (text) => ({ prompt: { id: 'p', variables: { name: text, of: { text } } } })],
  ['names of definitions', (text) => ({ schema: { $defs: { [text]: {} }, definitions: { [text]: {} } } })],
  [
    'what a schema has as default',
    (text) => ({ schema: { properties: { to: { default: { name: text, [text]: 1 } } } } }),
  ],
  ['what a schema has as examples', (text) => ({ schema: { properties: { to: { examples: [{ url: text }] } } } })],
  ['what a schema allows', (text) => ({ schema: { enum: [{ id: text }], const: { id: text } } })],
  ['what a decision is about', (text) => ({ state: { name: text, id: text, [text]: [{ url: text }] } })],
  [
    'the options of a decision, and what they mean',
    (text) => ({ questions: { who: { type: 'choice', criteria: { [text]: 'x', id: text, name: text } } } }),
  ],
  ['a text file as data URL', (text) => ({ file: { file_data: `data:text/plain;base64,${base64(`To ${text}, é`)}` } })],
  ['one with its character set', (text) => ({ file_url: `data:text/csv;charset=utf-8;base64,${base64(text)}` })],
  ['one without base64', (text) => ({ image_url: { url: `data:text/html,${encodeURIComponent(`<a> ${text}`)}` } })],
  ['one with a long type', (text) => ({ url: `data:text/plain;x=${'y'.repeat(1_000)};base64,${base64(text)}` })],
  ['one with percent signs that are none of an escape', (text) => ({ url: `data:,100% of ${text}` })],
  ['one without a type', (text) => ({ file_data: `data:;base64,${base64(text)}` })],
  ['one of an unknown type', (text) => ({ file_data: `data:application/octet-stream;base64,${base64(text)}` })],
  ['one with a mark of its encoding', (text) => ({ file_data: `data:text/csv;base64,${base64(`\ufeff${text}`)}` })],
  ['one in UTF-16', (text) => ({ file_data: `data:text/csv;base64,${encoded(`\ufeff${text}`, 'utf16le')}` })],
  [
    'one in UTF-16 with the other order of bytes',
    (text) => ({
      file_data: `data:text/csv;base64,${Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('base64')}`,
    }),
  ],
  ['one in Latin-1', (text) => ({ file_data: `data:text/csv;base64,${encoded(`é ${text}`, 'latin1')}` })],
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
  { input_audio: { data: 'aa', format: 'a@b.example' } },
  { image_url: { url: `data:image/png;base64,${base64('a@b.example')}` } },
  { inlineData: { mimeType: 'image/png', data: base64('a@b.example') } },
  { audio: { voice: 'v', format: 'a@b.example' } },
  { file: { file_data: `data:application/pdf;base64,${base64('a@b.example')}` } },
  { file: { file_data: `data:application/zip;base64,${encoded('\xff a@b.example', 'latin1')}` } },
])('%j stays as it is', (document) => expect(redacted(document)).toEqual(document));
