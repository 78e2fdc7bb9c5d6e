import { sessionCookie } from '@tallyport/management-server';
import { type Answer, type OpenedManagement, publicUrl } from './open-management.ts';

const { name } = sessionCookie(new URL(publicUrl));

/** A signed-in user, calling the API as a dashboard page does. */
export interface Person {
  userId: string;
  password: string;
  cookie: string;
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Reads one of their accounts. */
  readAccount(id: string): Promise<Answer>;
}

let count = 0;

/** Accepts an invitation with a new password. */
export async function signUp(management: OpenedManagement, invitation: { url: string }): Promise<Person> {
  const token = invitation.url.split('/').at(-1) ?? '';
  const password = `a long password ${++count}`;
  const session = await management.invitations.accept({ token, password, address: `192.0.2.${count}` });
  return personOf(management, { token: session.token, password });
}

export async function personOf(
  management: OpenedManagement,
  { token, password }: { token: string; password: string },
): Promise<Person> {
  const cookie = `${name}=${token}`;
  const { userId, csrfToken } = (await management.ask('GET', '/session', { cookie })).body;
  const ask: Person['ask'] = (method, path, body) =>
    management.ask(method, path, { cookie, csrf: csrfToken, ...(body !== undefined && { body }) });
  const readAccount = (account: string) => management.ask('GET', '/account', { cookie, account });
  return { userId, password, cookie, ask, readAccount };
}
