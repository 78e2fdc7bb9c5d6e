import { createClient, inProcessLink, serve } from '@tallyport/bus';
import { authService, GatewayError, service } from '@tallyport/contracts';
import { afterAll, expect, test, vi } from 'vitest';
import { callersBy } from './callers.ts';

const link = inProcessLink();
afterAll(() => link.close());

/** The longest wait of auth-svc for the turn of a key whose address sent too many unknown ones. */
const turnMs = 5_000;
const refusal = new GatewayError('rate_limit_exceeded', 'Too many unknown keys.');

test('a key whose turn does not come gets the refusal of auth-svc, and not the end of a call', async () => {
  vi.useFakeTimers();
  const { identify } = authService.operations;
  await serve(link, service(authService.name, { identify }), {
    // Pause: the refusal comes after the turn of the caller is over.
    identify: () => new Promise((_resolve, reject) => setTimeout(() => reject(refusal), turnMs + 100)),
  });
  const callers = callersBy(createClient(link, authService));
  const credentials = { keyHash: 'hash', address: '203.0.113.1', origin: {}, changes: false };
  const asked = callers.identify(credentials, 'https://gateway.example').catch((error: { code: string }) => error.code);
  await vi.advanceTimersByTimeAsync(turnMs + 200);
  vi.useRealTimers();
  expect(await asked).toBe('rate_limit_exceeded');
});
