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

test('members of structured content that are called like bytes are texts', () => {
  const structuredContent = { mimeType: 'text/plain', data: 's3cr3t-token', blob: { header: 's3cr3t-token' } };
  expect(readResult({ content: [], structuredContent }, source).structuredContent).toEqual({
    mimeType: 'text/plain',
    data: '[secret]',
    blob: { header: '[secret]' },
  });
});

test('secrets are removed from what describes a resource', () => {
  const text = 'https://debug.example/s3cr3t-token';
  const link = { type: 'resource_link', uri: text, name: text, title: text, description: text } as const;
  const shown = 'https://debug.example/[secret]';
  expect(readResult({ content: [link] }, source).content).toEqual([
    { type: 'resource_link', uri: shown, name: shown, title: shown, description: shown },
  ]);
});
