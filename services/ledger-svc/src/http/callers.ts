import type { Client } from '@tallyport/bus';
import type { authService } from '@tallyport/contracts';
import type { Identify, ManageTools } from '@tallyport/management-server';

/** auth-svc knows who calls. */
export type CallerClient = Pick<Client<(typeof authService)['operations']>, 'identify' | 'pageCaller'>;

interface Callers {
  identify: Identify;
  callerOf: ManageTools['callerOf'];
}

/** Callers of the management API, which auth-svc identifies. */
export const callersBy = (auth: CallerClient): Callers => ({
  async identify(credentials, publicOrigin) {
    if (credentials.keyHash === undefined && credentials.sessionToken === undefined) return undefined;
    return (await auth.identify({ ...credentials, publicOrigin })).caller ?? undefined;
  },
  async callerOf({ cookie, account, publicOrigin, form }, { method }) {
    return (await auth.pageCaller({ cookie, account, publicOrigin, form, changes: method !== 'GET' })).caller;
  },
});
