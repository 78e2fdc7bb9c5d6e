import { expect, test } from 'vitest';
import { vendorOf } from '../testing/openai-vendor.ts';
import { novita } from './chat.ts';

const { sent, failure } = vendorOf(novita);

test('requests thinking separately from the content', () => {
  expect(sent({ top_k: 5 }, { reasoning: true })).toEqual({ top_k: 5, separate_reasoning: true });
  expect(sent({ top_k: 5 })).toEqual({ top_k: 5 });
});

test.each([
  [400, 'INVALID_REQUEST_BODY', 'invalid_parameters', 'caller'],
  [404, 'MODEL_NOT_FOUND', 'upstream_error', 'provider'],
  [403, 'NOT_ENOUGH_BALANCE', 'upstream_auth', 'provider'],
  [429, 'RATE_LIMIT_EXCEEDED', 'upstream_error', 'provider'],
  [503, 'SERVICE_NOT_AVAILABLE', 'upstream_error', 'provider'],
])('%i %s', (status, reason, code, domain) => {
  expect(failure(status, { code: status, reason, message: 'No.', metadata: {} })).toMatchObject({ code, domain });
});
