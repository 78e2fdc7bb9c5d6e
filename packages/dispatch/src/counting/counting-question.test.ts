import { modelOf, offerOf } from '@tallyport/contracts/testing';
import { placedSignatures } from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';
import { expect, test } from 'vitest';
import { defaultRouting } from '../settings.ts';
import { countingQuestion } from './counting-question.ts';

const offer = offerOf('google', { modelName: 'gemini-3.5-flash' });
const plan = {
  model: modelOf('gemini-3.5-flash', [offer]),
  priceVersion: '1',
  requestedModel: 'gemini-3.5-flash',
  requestedProvider: undefined,
  fallback: 'never',
  candidates: [],
  excluded: [],
  maxAttempts: 1,
  weights: { from: 'operator', values: defaultRouting.weights },
} as const;
const weather = { type: 'function', function: { name: 'weather', arguments: '{}' } } as const;
const request: ChatRequest = {
  model: 'gemini-3.5-flash',
  messages: [
    { role: 'user', content: 'Rain?' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'call-1', ...weather }] },
    { role: 'tool', tool_call_id: 'call-1', content: 'no' },
  ],
};

test('a prompt is counted with the signatures that are remembered of its calls', () => {
  const signatures = placedSignatures([{ place: 1, name: 'call-1', signature: 'c2lnbmVk' }]);
  const sent = countingQuestion({ plan, request, signatures }, offer)?.request.body.toString();
  expect(JSON.parse(sent ?? '').generateContentRequest.contents[1].parts).toEqual([
    { functionCall: expect.objectContaining({ name: 'weather' }), thoughtSignature: 'c2lnbmVk' },
  ]);
});
