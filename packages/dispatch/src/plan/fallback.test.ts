import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { askedFallback, type Fallback } from './fallback.ts';

test.each<[Record<string, string>, Fallback | undefined]>([
  [{}, undefined],
  [{ 'x-fallback': 'any-failure' }, 'any-failure'],
  [{ 'x-fallback': 'Unhealthy' }, 'unhealthy'],
  [{ 'x-no-fallback': 'true' }, 'never'],
  [{ 'x-no-fallback': '1' }, 'never'],
  [{ 'x-no-fallback': 'true', 'x-fallback': 'any-failure' }, 'never'],
  [{ 'x-no-fallback': 'false', 'x-fallback': 'any-failure' }, 'any-failure'],
])('%j asks for %s', (headers, expected) => {
  expect(askedFallback({ headers })).toBe(expected);
});

test.each(['always', 'any_failure', ''])('refuses X-Fallback: %s', (value) => {
  expect(() => askedFallback({ headers: { 'x-fallback': value } })).toThrow(
    new GatewayError('invalid_parameters', 'The header X-Fallback must be `unhealthy` or `any-failure`.', {
      param: 'X-Fallback',
    }),
  );
});
