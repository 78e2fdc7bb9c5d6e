import { hash, randomBytes } from 'node:crypto';

/** What signs a browser in. */
export interface SessionToken {
  token: string;
  expiresAt: Date;
}

/** 256 random bits, for a cookie or a link. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** What is stored instead of a token. */
export const hashToken = (token: string): string => hash('sha256', token);

/** Bound to its session: whoever knows it has seen a page of that session, whoever only made the browser ask has not. */
export const csrfTokenOf = (token: string): string => hash('sha256', `csrf ${token}`, 'base64url');
