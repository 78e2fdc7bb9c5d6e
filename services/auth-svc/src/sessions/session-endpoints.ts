import { sessionOperations as operations } from '@tallyport/management';
import {
  type ApiEndpoint,
  type ApiRequest,
  notSignedIn,
  openEndpoint,
  type SessionToken,
} from '@tallyport/management-server';
import type { SignedInUser } from './find-session.ts';
import type { Sessions } from './sessions.ts';

export function sessionEndpoints({ sessions }: { sessions: Sessions }): ApiEndpoint[] {
  async function signedInBy({ sessionToken }: ApiRequest): Promise<SignedInUser> {
    const signedIn = sessionToken === undefined ? undefined : await sessions.find(sessionToken);
    if (signedIn === undefined) throw notSignedIn();
    return signedIn;
  }

  /** Ends the previous session, so that a session from before signing in is never used afterwards. */
  async function replaceBy(session: SessionToken, request: ApiRequest) {
    if (request.sessionToken !== undefined) await sessions.end(request.sessionToken);
    request.setSession(session);
    return record(await signedInBy({ ...request, sessionToken: session.token }));
  }

  return [
    openEndpoint(operations.readSession, async (_input, request) => record(await signedInBy(request))),
    openEndpoint(operations.signIn, async ({ email, password }, request) =>
      replaceBy(await sessions.signIn({ email, password, address: request.address }), request),
    ),
    openEndpoint(operations.signOut, async ({ everywhere }, request) => {
      const { sessionToken } = request;
      const signedIn = everywhere ? await signedInBy(request) : undefined;
      if (signedIn) await sessions.endAll(signedIn.userId);
      else if (sessionToken !== undefined) await sessions.end(sessionToken);
      request.setSession(undefined);
      return { signedOut: true };
    }),
    openEndpoint(operations.changePassword, async (passwords, request) => {
      const { userId, email } = await signedInBy(request);
      const change = { userId, email, address: request.address, ...passwords };
      return replaceBy(await sessions.changePassword(change), request);
    }),
  ];
}

const record = ({ userId, email, csrfToken, memberships }: SignedInUser) => ({
  userId,
  email,
  csrfToken,
  accounts: [...memberships],
});
