import { GatewayError } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { toUnavailable } from './database-away.ts';

const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

test('a connection that fails is a database that is away, also as the cause of an error of a library', () => {
  for (const thrown of [reset, new Error('Query failed.', { cause: reset })])
    expect(toUnavailable(thrown)).toMatchObject({
      code: 'unavailable',
      message: 'The database is not reachable right now. Try again in a moment.',
      cause: thrown,
    });
});

test('an error that says which server is away stays as it is', () => {
  const away = new GatewayError('unavailable', 'The storage does not answer.', { cause: reset });
  expect(toUnavailable(away)).toBe(away);
  expect(toUnavailable(new TypeError('x'))).toEqual(new TypeError('x'));
});
