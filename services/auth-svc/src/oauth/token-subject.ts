/** The subject of a token: a user, in one account. */
export interface TokenSubject {
  userId: string;
  accountId: string;
}

const between = ':';

/** Formats the `sub` claim. */
export const subjectOf = ({ userId, accountId }: TokenSubject): string => `${userId}${between}${accountId}`;

export function parseSubject(text: string): TokenSubject | undefined {
  const at = text.indexOf(between);
  if (at < 1 || at === text.length - 1) return undefined;
  return { userId: text.slice(0, at), accountId: text.slice(at + 1) };
}
