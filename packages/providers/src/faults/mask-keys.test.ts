import { expect, test } from 'vitest';
import { maskKeys } from './mask-keys.ts';

test.each([
  ['Incorrect API key provided: sk-proj-AbCd1234efgh. See', 'Incorrect API key provided: [key]. See'],
  ['key sk-ab****************cd is wrong', 'key [key] is wrong'],
  ['gsk_AbCdEf123456 and xai-AbCdEf123456', '[key] and [key]'],
  ['AIzaSyA1234567890abcdefghijk', '[key]'],
  ['Authorization: Bearer abc.def', 'Authorization: [key]'],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'token [key]'],
  ['0123456789abcdef0123456789abcdef', '[key]'],
  ['request req_0123456789abcdef0123456789abcdef failed', 'request req_0123456789abcdef0123456789abcdef failed'],
  [
    'The model gpt-5.2-chat-latest has a context of 128000 tokens',
    'The model gpt-5.2-chat-latest has a context of 128000 tokens',
  ],
])('%s', (text, masked) => {
  expect(maskKeys(text)).toBe(masked);
});
