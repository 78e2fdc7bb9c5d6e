import { describe, expect, it } from 'vitest';
import { sessionCookie } from './cookie.ts';

const token = 'a-_'.padEnd(43, 'x');
const expiresAt = new Date('2031-02-03T04:05:06Z');

describe('the cookie of a session', () => {
  const secure = sessionCookie(new URL('https://gateway.example.com'));
  const plain = sessionCookie(new URL('http://127.0.0.1:4000'));

  it('is bound to its host with TLS, and hidden from scripts', () => {
    expect(secure.write(token, expiresAt)).toBe(
      `__Host-switchyard=${token}; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Mon, 03 Feb 2031 04:05:06 GMT`,
    );
    expect(secure.clear()).toBe('__Host-switchyard=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0');
    expect(plain.write(token, expiresAt)).toBe(
      `switchyard=${token}; Path=/; HttpOnly; SameSite=Lax; Expires=Mon, 03 Feb 2031 04:05:06 GMT`,
    );
  });

  it.each([
    [`switchyard=${token}`, token],
    [`theme=dark; switchyard=${token};other=1`, token],
    [undefined, undefined],
    ['', undefined],
    [`xswitchyard=${token}`, undefined],
    [`__Host-switchyard=${token}`, undefined],
    [`switchyard=${token}x`, undefined],
    [`switchyard=${token.slice(1)}`, undefined],
    [`switchyard="${token}"`, undefined],
    [`switchyard=${token}; switchyard=${token}`, undefined],
  ])('is read from the header %j as %j', (header, found) => {
    expect(plain.read(header)).toBe(found);
  });

  it('over TLS is never the one without TLS', () => {
    expect(secure.read(`switchyard=${token}`)).toBe(undefined);
    expect(secure.read(`__Host-switchyard=${token}`)).toBe(token);
  });
});
