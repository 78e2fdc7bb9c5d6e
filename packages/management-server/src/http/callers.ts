import type { Client } from '@tallyport/bus';
import type { authService } from '@tallyport/contracts';
import type { Identify } from './credentials.ts';
import type { ManageTools } from './manage.ts';

/** auth-svc knows who calls. */
export type CallerClient = Pick<Client<(typeof authService)['operations']>, 'identify' | 'pageCaller'>;

interface Callers {
  identify: Identify;
  callerOf: ManageTools['callerOf'];
}

/** A key of an address with many unknown ones waits up to five seconds for its turn, and then for the database. */
const identifyMs = 12_000;

/** Callers of the management API, which auth-svc identifies. */
export const callersBy = (auth: CallerClient): Callers => ({
  async identify(credentials, publicOrigin) {
    if (credentials.keyHash === undefined && credentials.sessionToken === undefined) return undefined;
    const { caller } = await auth.identify({ ...credentials, publicOrigin }, { timeoutMs: identifyMs });
    return caller ?? undefined;
  },
  async callerOf({ cookie, account, publicOrigin, form }, { method }) {
    return (await auth.pageCaller({ cookie, account, publicOrigin, form, changes: method !== 'GET' })).caller;
  },
});
