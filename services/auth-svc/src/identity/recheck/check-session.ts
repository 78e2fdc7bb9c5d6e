import type { Database } from '@tallyport/database';
import type { Secret, Secrets } from '@tallyport/management-server';
import type { Announce } from '../../bus/announce.ts';
import { refreshTokenPlace } from '../../sessions/provider-session.ts';
import { isProviderAway, isResponseFault, providerProblem, ResponseFault } from '../bounded-fetch.ts';
import type { SignInProvider } from '../document/read-identity.ts';
import { admit } from '../members/admit.ts';
import type { IdentifiedPerson } from '../sign-in/identify-person.ts';
import type { CheckEvents } from './check-events.ts';
import { type DueSession, endChecked, endUnanswered, keepRotatedToken, planNext, planRetry } from './due-sessions.ts';
import { endWithAdminKeys } from './end-with-admin-keys.ts';
import type { ProviderRefresh } from './provider-refresh.ts';
import { untilNextCheck, untilRetry } from './until-next-check.ts';

export interface CheckTools {
  database: Database;
  secrets: Pick<Secrets, 'keep' | 'read'>;
  refresh: ProviderRefresh;
  announce: Pick<Announce, 'keysEnded'>;
  events: Pick<CheckEvents, 'sessionChecked'>;
}

/**
 * Asks the provider whether the person of a session is still there, and makes memberships follow the claims. A session
 * ends if the provider refuses the refresh token, if the claims give no access, or if there was no answer for too long.
 */
export async function checkSession(tools: CheckTools, provider: SignInProvider, session: DueSession): Promise<void> {
  const { database, secrets, events } = tools;
  const token = await secrets.read(database.kysely, refreshTokenPlace(session.id));
  // The session has ended meanwhile, and the token with it.
  if (token === undefined) return;
  try {
    const problem = await askProvider(tools, provider, { session, token });
    if (problem === undefined) {
      await planNext(database, session, untilNextCheck(provider));
      return events.sessionChecked('present', provider.id);
    }
    const endsKeys = problem.outcome === 'refused' && provider.refusalEndsAdminKeys;
    const hasEnded = endsKeys ? await endAlsoKeys(tools, session) : await endChecked(database, session);
    // Without access the session ended with the membership.
    if (hasEnded || problem.outcome === 'no_access')
      events.sessionChecked(problem.outcome, provider.id, problem.problem);
  } catch (error) {
    if (!isProviderAway(error) && !isResponseFault(error)) throw error;
    const hasEnded = await endUnanswered(database, session, provider.recheckGraceMinutes);
    if (!hasEnded) await planRetry(database, session, untilRetry());
    events.sessionChecked(hasEnded ? 'unanswered_too_long' : 'unanswered', provider.id, providerProblem(error));
  }
}

interface EndingAnswer {
  outcome: 'refused' | 'no_access';
  problem?: string;
}

/** Resolves with whether it was this check that ended the session. */
async function endAlsoKeys({ database, announce }: CheckTools, session: DueSession): Promise<boolean> {
  const keys = await endWithAdminKeys(database, session);
  if (keys !== undefined) announce.keysEnded(keys);
  return keys !== undefined;
}

/** Why the session must end; `undefined` if it continues. */
async function askProvider(
  tools: CheckTools,
  provider: SignInProvider,
  { session, token }: { session: DueSession; token: Secret },
): Promise<EndingAnswer | undefined> {
  const { database, secrets, refresh } = tools;
  const answer = await refresh(provider, token);
  if (answer.outcome === 'refused') return { outcome: 'refused', problem: answer.code };
  const { refreshToken, identify } = answer;
  if (refreshToken !== undefined && refreshToken.reveal() !== token.reveal())
    await keepRotatedToken(database, secrets, { session, refreshToken });
  const person = await identify();
  // Some providers send no ID token here: then the person is there, and the groups are read at the next sign-in.
  return person && follow(tools, { provider, session, person });
}

async function follow(
  { database, announce }: CheckTools,
  { provider, session, person }: { provider: SignInProvider; session: DueSession; person: IdentifiedPerson },
): Promise<EndingAnswer | undefined> {
  const { issuer, subject } = person;
  const known = database.kysely.selectFrom('user_identities').select('user_id').where('user_id', '=', session.userId);
  const same = await known.where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst();
  if (same === undefined) throw new ResponseFault('the ID token is about another person');
  const admission = await admit(database, { provider, person });
  if (admission.outcome === 'no_email') throw new ResponseFault('the e-mail address is missing');
  announce.keysEnded(admission.ended);
  return admission.outcome === 'no_access' ? { outcome: 'no_access' } : undefined;
}
