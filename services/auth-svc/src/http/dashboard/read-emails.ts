import type { Ask } from '../../api/management-client.ts';

/** The members of an account by id, for pages that tell who did something. Whoever left is not among them. */
export async function readEmails(ask: Ask): Promise<ReadonlyMap<string, string>> {
  const { members } = await ask('listMembers');
  return new Map(members.map(({ userId, email }) => [userId, email]));
}
