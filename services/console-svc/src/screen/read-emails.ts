import type { CallOperation } from '@tallyport/management';

/** The e-mail addresses of an account's current members by id, for pages that show who did something. */
export async function readEmails(ask: CallOperation): Promise<ReadonlyMap<string, string>> {
  const { members } = await ask('listMembers');
  return new Map(members.map(({ userId, email }) => [userId, email]));
}
