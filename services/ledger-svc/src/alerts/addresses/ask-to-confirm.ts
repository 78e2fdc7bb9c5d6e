import { GatewayError } from '@tallyport/contracts';
import { type Database, sql } from '@tallyport/database';
import { type Attempts, hashToken, makeToken } from '@tallyport/management-server';
import { DeliveryProblem } from '../deliveries/message.ts';
import type { EmailSender, Mail } from '../deliveries/send-email.ts';
import { unconfirmedOf } from './unconfirmed.ts';

export interface ConfirmationTools {
  database: Database;
  /** Absent if no mail server is configured. */
  emails: EmailSender | undefined;
  attempts: Pick<Attempts, 'count'>;
  /** The public address without a trailing slash. */
  publicUrl(): string;
}

/** How long a link works. */
export const confirmationDays = 7;

/**
 * Sends each address that is not confirmed a link that confirms it. An address that has had too many, or whose message the
 * mail server refused, stays unconfirmed: a test of its alert sends the link again.
 */
export async function askToConfirm(
  tools: ConfirmationTools,
  accountId: string,
  emails: readonly string[] | null | undefined,
): Promise<void> {
  if (!emails || tools.emails === undefined) return;
  const open = await unconfirmedOf(tools.database.kysely, { accountId, emails, notAskedForMinutes: 10 });
  await Promise.all(open.map((email) => askOne(tools, { accountId, email })));
}

async function askOne(
  { database: { kysely }, emails, attempts, publicUrl }: ConfirmationTools,
  { accountId, email }: { accountId: string; email: string },
): Promise<void> {
  try {
    // Counted by address first: one that gets no more must not use up what the account may send.
    await attempts.count('alert_address', email);
    await attempts.count('alert_addresses', accountId);
    const token = makeToken();
    const columns = { token_hash: hashToken(token), sent_at: sql<Date>`now()` };
    await kysely
      .insertInto('alert_addresses')
      .values({ account_id: accountId, email, ...columns })
      .onConflict((conflict) => conflict.columns(['account_id', 'email']).doUpdateSet(columns))
      .execute();
    await emails?.send(email, confirmationMail(`${publicUrl()}/alert-addresses/${token}`));
  } catch (error) {
    const isExpected =
      error instanceof DeliveryProblem || (error instanceof GatewayError && error.code === 'rate_limit_exceeded');
    if (!isExpected) throw error;
  }
}

/** Has no text that an account could choose: any address may get it. */
const confirmationMail = (link: string): Mail => ({
  subject: 'Confirm this address for alerts',
  lines: [
    'Someone wants this address to get alerts of a Tallyport gateway. To agree, open:',
    '',
    link,
    '',
    `The link works for ${confirmationDays} days. If you do not expect this, do nothing: no alerts will be sent to you.`,
  ],
});
