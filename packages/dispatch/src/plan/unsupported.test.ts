import { expect, test } from 'vitest';
import { offerOf } from '@tallyport/contracts/testing';
import { unsupportedByOffer } from './unsupported.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];

test('returns the member that the offer’s provider does not support', () => {
  const unsupported = unsupportedByOffer({ request: { model: 'm', messages, tool_choice: 'required' }, stream: false });
  expect(['ollama', 'openai', 'nobody'].map((id) => unsupported(offerOf(id)))).toEqual([
    'tool_choice',
    undefined,
    undefined,
  ]);
});
