import { exportSPKI, type JWTPayload, SignJWT } from 'jose';
import type { RogueProvider } from './rogue-provider.ts';

/** Values of `sub` and `sid` that name no one. */
export const oddSubjects: readonly (readonly [string, unknown])[] = [
  ['empty', ''],
  ['a list', ['eve']],
  ['an empty list', []],
  ['a number', 7],
  ['an object', { eve: true }],
  ['true', true],
  ['null', null],
  ['of 256 characters', 'e'.repeat(256)],
  ['text with a zero character', 'eve\0'],
  ['text with a line break', 'eve\n'],
  ['text with half a character', 'eve\ud800'],
];

export const unsigned = (claims: JWTPayload): string => `${encode({ alg: 'none' })}.${encode(claims)}.`;

/** Names the published key that is not on its curve. */
export const unusablySigned = (claims: JWTPayload): string =>
  `${encode({ alg: 'ES256', kid: 'unusable' })}.${encode(claims)}.${Buffer.alloc(64, 1).toString('base64url')}`;

export async function sharedSecretSigned({ keys }: RogueProvider, claims: JWTPayload): Promise<string> {
  const secret = new TextEncoder().encode(await exportSPKI(keys.publicKey));
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(secret);
}

/** A valid token, wrapped in a signature whose payload it is. */
export const nested = (token: string, { sign }: RogueProvider): Promise<string> => sign({ token }, { cty: 'JWT' });

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
