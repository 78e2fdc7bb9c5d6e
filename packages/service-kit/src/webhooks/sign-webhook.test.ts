import { expect, test } from 'vitest';
import { signWebhook } from './sign-webhook.ts';

// echo -n '1767225600.{"a":1}' | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef
test('the signature is the one that openssl computes', () => {
  expect(signWebhook('{"a":1}', '0123456789abcdef0123456789abcdef', 1_767_225_600_999)).toBe(
    't=1767225600,v1=5a178d9c0a752b5853bf52551646d72a3506620c785b7cfaf493f8b2adddfbdd',
  );
});
