import { expect, test } from 'vitest';
import { checkLineOf, checkMessageRequest } from './check-line.ts';

const message = (customId: unknown) =>
  checkMessageRequest(Buffer.from(JSON.stringify({ custom_id: customId, params: { model: 'm' } })));
const line = (customId: unknown) =>
  checkLineOf('/v1/embeddings')(
    Buffer.from(JSON.stringify({ custom_id: customId, method: 'POST', url: '/v1/embeddings', body: { model: 'm' } })),
  );
const accepted = (customId: string) => ({ customId, model: 'm' });
const refused = (message: string) => expect.objectContaining({ code: 'invalid_custom_id', message });

test.each(['a', 'A-b_9', 'x'.repeat(64)])('a message batch has a request with the custom_id %j', (id) => {
  expect(message(id)).toEqual(accepted(id));
});

test.each<unknown>(['', 'x'.repeat(65), '\u00e4 \u00f6', 'a b', 'a.b', 'a\n', 7, undefined])(
  'a message batch has no request with the custom_id %j, as at Anthropic',
  (id) => {
    expect(message(id)).toEqual(refused('The custom_id must be 1 to 64 letters, digits, hyphens or underscores.'));
  },
);

test.each(['\u00e4 \u00f6', 'x'.repeat(512)])('a batch has a line with the custom_id %j', (id) => {
  expect(line(id)).toEqual(accepted(id));
});

test.each<unknown>(['', 'x'.repeat(513), 'nul\0', 7])('a batch has no line with the custom_id %j', (id) => {
  expect(line(id)).toEqual(refused('The custom_id must be text of 1 to 512 characters.'));
});
