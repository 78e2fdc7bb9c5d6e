import { hash, randomBytes } from 'node:crypto';

/** The token of a session. */
export interface SessionToken {
  token: string;
  expiresAt: Date;
}

/** Creates a token of 256 random bits, for a cookie or a link. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** The stored form of a token. */
export const hashToken = (token: string): string => hash('sha256', token);

/** Derives the CSRF token of a session. Only a page of that session can know it. */
export const csrfTokenOf = (token: string): string => hash('sha256', `csrf ${token}`, 'base64url');
