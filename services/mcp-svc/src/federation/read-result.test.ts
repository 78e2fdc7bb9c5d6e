import { expect, test } from 'vitest';
import { readResult } from './read-result.ts';
import { createRedaction } from './redact.ts';

const { redact } = createRedaction({ type: 'header', name: 'authorization', value: 'Bearer s3cr3t-token' });
const source = { name: 'debug', redact };

test('secrets are removed from every text of a result, but not from bytes', () => {
  const bytes = 'czNjcjN0';
  const result = readResult(
    {
      content: [
        { type: 'text', text: 'I got Bearer s3cr3t-token' },
        { type: 'resource', resource: { uri: 'debug://s3cr3t-token', text: 's3cr3t-token' } },
        { type: 'resource', resource: { uri: 'debug://bytes', mimeType: 'image/png', blob: bytes } },
        { type: 'image', data: bytes, mimeType: 'image/png' },
      ],
      structuredContent: {
        headers: [{ authorization: 'Bearer s3cr3t-token', 's3cr3t-token': 1 }],
        count: 2,
        none: null,
      },
    },
    source,
  );
  expect(result).toEqual({
    content: [
      { type: 'text', text: 'I got [secret]' },
      { type: 'resource', resource: { uri: 'debug://[secret]', text: '[secret]' } },
      { type: 'resource', resource: { uri: 'debug://bytes', mimeType: 'image/png', blob: bytes } },
      { type: 'image', data: bytes, mimeType: 'image/png' },
    ],
    structuredContent: { headers: [{ authorization: '[secret]', '[secret]': 1 }], count: 2, none: null },
  });
});
