/** Whom a token acts for: a person, in the one account they chose. */
export interface Member {
  userId: string;
  accountId: string;
}

const between = ':';

/** As the OAuth server calls them (`sub`). */
export const memberId = ({ userId, accountId }: Member): string => `${userId}${between}${accountId}`;

export function readMemberId(text: string): Member | undefined {
  const at = text.indexOf(between);
  if (at < 1 || at === text.length - 1) return undefined;
  return { userId: text.slice(0, at), accountId: text.slice(at + 1) };
}
