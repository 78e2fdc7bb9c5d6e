import { type BrowserSession, GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { ApiCaller, ManageTools } from '@tallyport/management-server';
import { checkForm } from '../../sessions/csrf.ts';
import type { SignedInUser } from '../../sessions/find-session.ts';
import { sessionOfBrowser } from '../../sessions/session-of-browser.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { callerOfSession } from './identify.ts';

interface PageCallerTools {
  database: Database;
  sessions: Sessions;
  /** Resolves with `true` the first time a form token is sent, and with `false` afterwards. */
  firstTime(form: string): Promise<boolean>;
}

export interface PageCallers {
  /** The signed-in person in the session's account. A change needs a form of the session. */
  inAccount(session: BrowserSession, changes: boolean): Promise<ApiCaller>;
  /** The caller of an operation; `undefined` if anyone may call it, which needs a session all the same. */
  ofRequest: ManageTools['callerOf'];
}

/** The people who use pages. All throw without a valid session, and for a change that no form of it asked for. */
export function createPageCallers({ database, sessions, firstTime }: PageCallerTools): PageCallers {
  async function signedIn(session: BrowserSession, changes: boolean): Promise<SignedInUser> {
    const user = await sessionOfBrowser(sessions, session);
    if (changes) await checkSentForm(session, user, firstTime);
    return user;
  }
  const inAccount: PageCallers['inAccount'] = async (session, changes) =>
    callerOfSession(database, { signedIn: await signedIn(session, changes), account: session.account });
  return {
    inAccount,
    async ofRequest(request, { access, method }) {
      const changes = method !== 'GET';
      if (access !== 'anyone') return inAccount(request, changes);
      await signedIn(request, changes);
      return undefined;
    },
  };
}

async function checkSentForm(
  { form = {}, publicOrigin }: BrowserSession,
  { userId, csrfToken }: SignedInUser,
  firstTime: PageCallerTools['firstTime'],
): Promise<void> {
  checkForm(form, { origin: publicOrigin, csrfToken });
  if (form.once !== undefined && !(await firstTime(`${userId} ${form.once}`))) throw alreadySent();
}

const alreadySent = (): GatewayError =>
  new GatewayError('conflict', 'This form was already sent and processed. Open the page again to send it once more.');
