import type { BrowserSession } from '@tallyport/contracts';
import { notSignedIn, sessionCookie } from '@tallyport/management-server';
import type { SignedInUser } from './find-session.ts';
import type { Sessions } from './sessions.ts';

/** The person whose session a browser sent. Throws without a valid one. */
export async function sessionOfBrowser(
  sessions: Pick<Sessions, 'find'>,
  { cookie, publicOrigin }: Pick<BrowserSession, 'cookie' | 'publicOrigin'>,
): Promise<SignedInUser> {
  const token = sessionCookie(new URL(publicOrigin)).read(cookie);
  const signedIn = token === undefined ? undefined : await sessions.find(token);
  if (signedIn === undefined) throw notSignedIn();
  return signedIn;
}
