import { expect, test } from 'vitest';
import { vendorOf } from '../testing/openai-vendor.ts';
import { bytedance } from './chat.ts';

const { sent, failure } = vendorOf(bytedance);

test('sets the thinking switch unless the client sets it', () => {
  expect(sent({ reasoning_effort: 'minimal' })).toEqual({ thinking: { type: 'enabled' } });
  expect(sent({ reasoning_effort: 'none', thinking: { type: 'auto' } })).toEqual({ thinking: { type: 'auto' } });
});

test.each([
  [401, 'AuthenticationError', 'upstream_auth', 'provider'],
  [400, 'InvalidParameter', 'invalid_parameters', 'caller'],
  [404, 'ModelNotOpen', 'upstream_error', 'provider'],
  [404, 'InvalidEndpointOrModel.NotFound', 'upstream_error', 'provider'],
  [400, 'SensitiveContentDetected.Violence', 'content_policy_violation', 'policy'],
  [400, 'InputTextSensitiveContentDetected', 'content_policy_violation', 'policy'],
  [429, 'RateLimitExceeded.EndpointTPMExceeded', 'upstream_error', 'provider'],
  [429, 'QuotaExceeded', 'upstream_error', 'provider'],
  [429, 'ServerOverloaded', 'upstream_error', 'provider'],
  [500, 'InternalServiceError', 'upstream_error', 'provider'],
])('%i %s', (status, vendorCode, code, domain) => {
  const body = { error: { code: vendorCode, message: 'No.', param: '', type: 'x' } };
  expect(failure(status, body)).toMatchObject({ code, domain });
});
