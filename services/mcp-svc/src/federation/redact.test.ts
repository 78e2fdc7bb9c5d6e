import { expect, test } from 'vitest';
import { createRedaction } from './redact.ts';

const header = (value: string) => ({ type: 'header', name: 'Authorization', value }) as const;

test('a secret is also found in a JSON document, with or without escaped slashes, and in a URL', () => {
  const secret = 'a"b\\c/d+e f%g';
  const { redact } = createRedaction(header(secret));
  const json = JSON.stringify({ secret });
  expect(
    [json, json.replaceAll('/', '\\/'), `https://docs.example/?q=${encodeURIComponent(secret)}`].map(redact),
  ).toEqual(['{"secret":"[secret]"}', '{"secret":"[secret]"}', 'https://docs.example/?q=[secret]']);
});

test('a secret that contains a shorter one is replaced as a whole', () => {
  const { redact, setToken } = createRedaction({
    type: 'client_credentials',
    tokenUrl: 'https://docs.example/token',
    clientId: 'gateway',
    clientSecret: 'secret-4711',
  });
  setToken('secret-4711.and-more');
  expect(redact('secret-4711.and-more secret-4711')).toBe('[secret] [secret]');
});

test('the access token before the current one is replaced while calls with it may run', () => {
  const { redact, setToken } = createRedaction({
    type: 'client_credentials',
    tokenUrl: 'https://docs.example/token',
    clientId: 'gateway',
    clientSecret: 'secret-4711',
  });
  setToken('first-token');
  setToken('second-token');
  expect(redact('first-token second-token secret-4711')).toBe('[secret] [secret] [secret]');
});
