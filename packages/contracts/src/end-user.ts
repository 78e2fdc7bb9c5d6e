import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';

/** Names the end user of a request in every API. */
export const endUserHeader = 'x-end-user';

/** The longest name that is kept as it is. */
export const longestEndUser = 128;

/** The most end users of an account that are counted apart in a month, in sums and under budgets. */
export const mostEndUsers = 10_000;

/**
 * What is counted together: the requests of further end users and, under a budget per end user, those that name none. No
 * client can send these names, because a name has no space at its ends.
 */
export const otherEndUsers = ' other';
export const noEndUser = ' none';

/** What replaces the name of an end user in records and sums once it was erased. */
export const erasedEndUser = '(erased)';

/** The members of a request that name its end user. */
interface NamedEndUser {
  safety_identifier?: unknown;
  user?: unknown;
}

/**
 * The end user of a request: of its header, else of `safety_identifier`, else of `user`. The first that is not blank
 * counts.
 */
export function endUserOf(
  { headers }: { headers: Readonly<Record<string, string>> },
  { safety_identifier, user }: NamedEndUser = {},
): string | undefined {
  const header = headers[endUserHeader];
  for (const text of [header === undefined ? undefined : decoded(header), safety_identifier, user]) {
    const name = typeof text === 'string' ? endUserName(text) : '';
    if (name !== '') return name;
  }
  return undefined;
}

/** HTTP delivers the bytes of a header as Latin-1. Clients send UTF-8, as in bodies. */
function decoded(header: string): string {
  if (!/[\u0080-\u00ff]/.test(header)) return header;
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : header;
}

/** Control characters, line separators and bidirectional overrides would garble pages, exports and terminals. */
const harmful = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The name as it is recorded and has a budget. Harmful characters are left out, and a longer name is replaced by its hash:
 * clients such as coding agents send whole documents, and two of them must not become one user.
 */
export function endUserName(text: string): string {
  const name = text.toWellFormed().replaceAll(harmful, '').trim();
  return name.length <= longestEndUser ? name : `sha256:${hash('sha256', name)}`;
}
