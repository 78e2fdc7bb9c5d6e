import { expect, test } from 'vitest';
import { offerOf } from '@switchyard/contracts/testing';
import { unsupportedByOffer } from './unsupported.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];

test('the provider of an offer says what it cannot honour', () => {
  const unsupported = unsupportedByOffer({ request: { model: 'm', messages, tool_choice: 'required' }, stream: false });
  expect(['ollama', 'openai', 'nobody'].map((id) => unsupported(offerOf(id)))).toEqual([
    'tool_choice',
    undefined,
    undefined,
  ]);
});
