import type { Database } from '@tallyport/database';
import type { Secrets, SessionToken } from '@tallyport/management-server';
import { AuthorizationResponseError } from 'openid-client';
import type { Announce } from '../../bus/announce.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { isProviderAway, isResponseFault, providerProblem } from '../bounded-fetch.ts';
import { admit } from '../members/admit.ts';
import type { CheckEvents } from '../recheck/check-events.ts';
import { recheckOf } from '../recheck/recheck-of.ts';
import type { FinishedSignIn, FinishSignIn, ProviderSignIn } from './provider-sign-in.ts';

export type CompletedSignIn =
  | { outcome: 'signed_in'; session: SessionToken; next: string }
  /** The sign-in is not known: it was used, has expired, or began in another browser. */
  | { outcome: 'expired' }
  /** The provider did not identify the person. `code` is OAuth's. */
  | { outcome: 'refused'; code: string }
  /** The provider's response cannot be trusted. */
  | { outcome: 'unverified'; problem: string }
  | { outcome: 'provider_away'; problem: string }
  | { outcome: 'no_access'; email: string }
  | { outcome: 'no_email' };

interface CompletionTools {
  database: Database;
  signIn: ProviderSignIn;
  sessions: Sessions;
  announce: Pick<Announce, 'keysEnded'>;
  secrets: Pick<Secrets, 'obstacle'>;
  events: Pick<CheckEvents, 'sessionNotChecked'>;
}

/** Checks the provider's response, makes memberships follow the claims, and starts a session. */
export async function completeSignIn(tools: CompletionTools, finish: FinishSignIn): Promise<CompletedSignIn> {
  const identified = await identify(tools.signIn, finish);
  if ('outcome' in identified) return identified;
  const { person, refreshToken, next } = identified;
  const { provider } = finish;
  const admission = await admit(tools.database, { provider, person });
  if (admission.outcome === 'no_email') return admission;
  tools.announce.keysEnded(admission.ended);
  if (admission.outcome === 'no_access') return { outcome: 'no_access', email: admission.email };
  const { idToken, providerSession: id } = person;
  const recheck = recheckOf(tools, provider, refreshToken);
  const by = { provider: provider.id, hours: provider.sessionHours, id, idToken, recheck };
  return { outcome: 'signed_in', session: await tools.sessions.beginBy({ userId: admission.userId, by }), next };
}

async function identify(signIn: ProviderSignIn, finish: FinishSignIn): Promise<FinishedSignIn | CompletedSignIn> {
  try {
    return (await signIn.finish(finish)) ?? { outcome: 'expired' };
  } catch (error) {
    if (error instanceof AuthorizationResponseError) return { outcome: 'refused', code: error.error.slice(0, 100) };
    if (isProviderAway(error)) return { outcome: 'provider_away', problem: providerProblem(error) };
    if (isResponseFault(error)) return { outcome: 'unverified', problem: providerProblem(error) };
    throw error;
  }
}
