import { expect, test } from 'vitest';
import { askedRequest } from './asked-request.ts';

const chat = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] };

test.each([
  ['nothing', { model: ' ' }, undefined],
  ['a model', { model: ' m ' }, { body: chat, path: undefined }],
  ['a stream', { model: 'm', kind: 'chat', stream: 'yes' }, { body: { ...chat, stream: true }, path: undefined }],
  ['an image', { model: 'm', kind: 'image' }, { body: { model: 'm', prompt: 'A lighthouse' }, path: undefined }],
  ['embeddings', { model: 'm', kind: 'embeddings' }, { body: { model: 'm', input: 'Hello' }, path: undefined }],
  ['a pasted request, before a model', { model: 'm', body: '{"a":1}' }, { body: { a: 1 }, path: undefined }],
  ['one of another API', { body: '{}', path: '/v1/messages' }, { body: {}, path: '/v1/messages' }],
])('reads %s', (_what, fields, asked) => {
  expect(askedRequest(fields)).toEqual(asked);
});

test.each(['{', '[]', '1', 'null'])('refuses %s as a request', (body) => {
  expect(() => askedRequest({ body })).toThrow('This is not a JSON object.');
});
