import { describe, expect, it } from 'vitest';
import { sessionCookie } from './cookie.ts';

const token = 'a-_'.padEnd(43, 'x');
const expiresAt = new Date('2031-02-03T04:05:06Z');

describe('the cookie of a session', () => {
  const secure = sessionCookie(new URL('https://gateway.example.com'));
  const plain = sessionCookie(new URL('http://127.0.0.1:4000'));

  it('is bound to its host with TLS, and hidden from scripts', () => {
    expect(secure.write(token, expiresAt)).toBe(
      `__Host-tallyport=${token}; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Mon, 03 Feb 2031 04:05:06 GMT`,
    );
    expect(secure.clear()).toBe('__Host-tallyport=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0');
    expect(plain.write(token, expiresAt)).toBe(
      `tallyport=${token}; Path=/; HttpOnly; SameSite=Lax; Expires=Mon, 03 Feb 2031 04:05:06 GMT`,
    );
  });

  it.each([
    [`tallyport=${token}`, token],
    [`theme=dark; tallyport=${token};other=1`, token],
    [undefined, undefined],
    ['', undefined],
    [`xtallyport=${token}`, undefined],
    [`__Host-tallyport=${token}`, undefined],
    [`tallyport=${token}x`, undefined],
    [`tallyport=${token.slice(1)}`, undefined],
    [`tallyport="${token}"`, undefined],
    [`tallyport=${token}; tallyport=${token}`, undefined],
  ])('is read from the header %j as %j', (header, found) => {
    expect(plain.read(header)).toBe(found);
  });

  it('over TLS is never the one without TLS', () => {
    expect(secure.read(`tallyport=${token}`)).toBe(undefined);
    expect(secure.read(`__Host-tallyport=${token}`)).toBe(token);
  });
});
