import { type Database, sql } from '@tallyport/database';
import { hashToken } from '@tallyport/management-server';

/** A sign-in that was sent to a provider and has not returned yet. */
interface Flow {
  state: string;
  /** The value of the browser's cookie. */
  browser: string;
  provider: string;
  nonce: string;
  codeVerifier: string;
  next: string;
}

/** People may have to find a second factor. */
const minutes = 15;

export async function keepFlow({ kysely }: Database, { state, browser, codeVerifier, ...flow }: Flow): Promise<void> {
  const expires_at = sql<Date>`now() + make_interval(mins => ${minutes}::int)`;
  const hashes = { state_hash: hashToken(state), browser_hash: hashToken(browser) };
  await kysely
    .insertInto('sign_in_flows')
    .values({ ...hashes, ...flow, code_verifier: codeVerifier, expires_at })
    .execute();
}

/** Returns the sign-in with this state, once. `undefined` if it was used, has expired, or began in another browser. */
export async function takeFlow(
  { kysely }: Database,
  { state, browser, provider }: Pick<Flow, 'state' | 'browser' | 'provider'>,
): Promise<Pick<Flow, 'nonce' | 'codeVerifier' | 'next'> | undefined> {
  const row = await kysely
    .deleteFrom('sign_in_flows')
    .where('state_hash', '=', hashToken(state))
    .where('browser_hash', '=', hashToken(browser))
    .where('provider', '=', provider)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['nonce', 'code_verifier', 'next'])
    .executeTakeFirst();
  return row && { nonce: row.nonce, codeVerifier: row.code_verifier, next: row.next };
}
