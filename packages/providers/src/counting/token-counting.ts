import type { Offer } from '@tallyport/contracts';
import { editMembers } from '@tallyport/wire';
import { members } from '../read.ts';

/** A request as it would be sent for an answer. */
export interface CountedRequest {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** The request that counts its tokens. `path` follows the base URL. */
export interface CountingRequest extends CountedRequest {
  method: 'POST';
  path: string;
}

/** A vendor's endpoint that counts the tokens of a prompt. It costs nothing, and nothing is answered. */
export interface TokenCounting {
  /** `undefined` for a model whose tokens the vendor does not count. */
  request(counted: CountedRequest, offer: Offer): CountingRequest | undefined;
  /** `undefined` for an answer without a count. */
  tokens(answer: unknown): number | undefined;
  /** Its answers are what clients of the same API expect; others only have the count. */
  readonly answersClients?: true;
}

export const countingHeaders = { 'content-type': 'application/json', accept: 'application/json' } as const;

/** The body with only these members: endpoints that count refuse those that matter only for an answer. */
export function withMembers(
  body: Buffer,
  kept: ReadonlySet<string>,
  added: Readonly<Record<string, string>> = {},
): Buffer {
  const names = Object.keys(members(JSON.parse(body.toString('utf8'))));
  return editMembers(body, { removed: new Set(names.filter((name) => !kept.has(name))), added });
}
