import { type BrowserSession, type Caller, GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { ApiCaller } from '@tallyport/management-server';
import { findAccountTerms } from '../callers/account-terms.ts';
import { callerOf, type CallerTerms, termsWithoutKey } from '../callers/caller-of.ts';
import { checkForm } from '../sessions/csrf.ts';
import type { SignedInUser } from '../sessions/find-session.ts';
import { sessionOfBrowser } from '../sessions/session-of-browser.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { playgroundKey } from './playground-key.ts';

export interface SessionCallerTools {
  database: Database;
  sessions: Pick<Sessions, 'find'>;
  callerOf(signedIn: SignedInUser, account: string | undefined): Promise<ApiCaller>;
}

export type SessionCaller = (session: BrowserSession) => Promise<{ caller: Caller }>;

/**
 * The caller that a signed-in person is for the API. A form of the session proves that a page of ours asks; it gets the
 * person's playground key. Without one, the caller may only read.
 */
export const createSessionCaller =
  ({ database, sessions, ...tools }: SessionCallerTools): SessionCaller =>
  async ({ cookie, account, publicOrigin, form }) => {
    const signedIn = await sessionOfBrowser(sessions, { cookie, publicOrigin });
    if (form !== undefined) checkForm(form, { origin: publicOrigin, csrfToken: signedIn.csrfToken });
    const { accountId, actor } = await tools.callerOf(signedIn, account);
    const { userId, email } = signedIn;
    const key = form && (await playgroundKey(database, { accountId, userId, email, actor }));
    return { caller: callerOf(key ?? (await readerOf(database, accountId))) };
  };

/** Only its account counts: nothing is recorded for a caller that reads. */
async function readerOf({ kysely }: Database, accountId: string): Promise<CallerTerms> {
  const terms = await findAccountTerms(kysely, accountId);
  if (terms === undefined) throw suspended();
  return termsWithoutKey({ id: 'session', accountId }, terms);
}

const suspended = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This account is suspended. Ask the operator of the installation to resume it.',
  );
