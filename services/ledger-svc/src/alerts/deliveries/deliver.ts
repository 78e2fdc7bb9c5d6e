import { type Database, type Row, sql } from '@tallyport/database';
import type { Secrets } from '@tallyport/management-server';
import type { AlertEvents } from '../events.ts';
import { unconfirmedOf } from '../addresses/unconfirmed.ts';
import { webhookSecretPlace } from '../webhook-secret.ts';
import { alertMail } from './alert-mail.ts';
import { DeliveryProblem, alertMessage } from './message.ts';
import type { EmailSender } from './send-email.ts';
import type { WebhookSender } from './send-webhook.ts';
import { webhookRequest } from './webhook-request.ts';

export interface DeliveryTools {
  database: Database;
  secrets: Secrets;
  webhooks: WebhookSender;
  /** Absent if no mail server is configured. */
  emails: EmailSender | undefined;
  /** The public address without a trailing slash. */
  publicUrl(): string;
  events: AlertEvents;
}

/** The wait before each further attempt, in seconds: the last one is eight hours after the event. */
export const retryAfterSeconds = [15, 60, 300, 1_800, 7_200, 21_600] as const;

/** Longer than an attempt may take. A replica that dies meanwhile loses its claim, and the message is sent again. */
const claimSeconds = 60;
const batch = 20;

interface ClaimedDelivery extends Row<'alert_deliveries'> {
  event: Row<'alert_events'>;
  account_name: string;
  /** What the alert has now; null if it was deleted. */
  alert: Row<'alerts'> | undefined;
}

/** Sends messages that are due, each by one replica. Resolves with how many it tried. */
export async function deliverDue(tools: DeliveryTools): Promise<number> {
  const due = sql`next_attempt_at <= now() order by next_attempt_at limit ${batch}`;
  const claimed = await claim(tools.database, due);
  await Promise.all(claimed.map((delivery) => attempt(tools, delivery, retryAfterSeconds)));
  return claimed.length;
}

/** Sends the messages about one event now, once. */
export async function deliverEvent(tools: DeliveryTools, eventId: string): Promise<void> {
  const claimed = await claim(tools.database, sql`event_id = ${eventId} and next_attempt_at is not null`);
  await Promise.all(claimed.map((delivery) => attempt(tools, delivery, [])));
}

async function claim({ kysely }: Database, which: ReturnType<typeof sql>): Promise<ClaimedDelivery[]> {
  const { rows: deliveries } = await sql<Row<'alert_deliveries'>>`
    update alert_deliveries set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${claimSeconds})
    where id in (select id from alert_deliveries where ${which} for update skip locked) returning *`.execute(kysely);
  const claimed: ClaimedDelivery[] = [];
  for (const delivery of deliveries) {
    const event = await kysely
      .selectFrom('alert_events')
      .selectAll()
      .where('id', '=', delivery.event_id)
      .executeTakeFirstOrThrow();
    const account = await kysely
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', event.account_id)
      .executeTakeFirstOrThrow();
    const alert = await kysely.selectFrom('alerts').selectAll().where('id', '=', event.alert_id).executeTakeFirst();
    claimed.push({ ...delivery, event, alert, account_name: account.name });
  }
  return claimed;
}

async function attempt(tools: DeliveryTools, delivery: ClaimedDelivery, waits: readonly number[]): Promise<void> {
  const { events } = tools;
  const { channel, event } = delivery;
  try {
    await send(tools, delivery);
    await settle(tools.database, delivery, sql`delivered_at = now(), next_attempt_at = null, last_error = null`);
    events.delivered(channel);
  } catch (error) {
    const problem = error instanceof DeliveryProblem ? error : new DeliveryProblem(unexpected, { cause: error });
    const wait = problem.final ? undefined : waits[delivery.attempts - 1];
    const next = wait === undefined ? sql`null` : sql`now() + make_interval(secs => ${wait})`;
    await settle(tools.database, delivery, sql`last_error = ${problem.message}, next_attempt_at = ${next}`);
    events.notDelivered(channel, { alertId: event.alert_id, problem: problem.message, final: wait === undefined });
  }
}

const unexpected = 'The gateway could not send the message. An operator finds the reason in the log.';

const notConfirmed = 'The address is not confirmed. Its owner opens the link that a test of the alert sends.';

async function send(
  { database, secrets, webhooks, emails, publicUrl }: DeliveryTools,
  delivery: ClaimedDelivery,
): Promise<void> {
  const { channel, target, event, alert } = delivery;
  if (alert === undefined) throw new DeliveryProblem('The alert was deleted.', { final: true });
  const message = alertMessage(event, { accountName: delivery.account_name, publicUrl: publicUrl() });
  switch (channel) {
    case 'webhook': {
      if (alert.webhook_url !== target)
        throw new DeliveryProblem('The alert has another webhook now.', { final: true });
      const secret = await secrets.read(database.kysely, webhookSecretPlace(event.account_id, alert.id));
      if (secret === undefined) throw new DeliveryProblem('The secret of the webhook is missing. Set it again.');
      const options = { format: alert.webhook_format ?? 'standard', secret: secret.reveal(), now: new Date() } as const;
      return webhooks.send(target, webhookRequest(message, options));
    }
    case 'email':
      if (emails === undefined) throw new DeliveryProblem('This installation sends no e-mail.', { final: true });
      if ((await unconfirmedOf(database.kysely, { accountId: event.account_id, emails: [target] })).length > 0)
        throw new DeliveryProblem(notConfirmed, { final: true });
      return emails.send(target, alertMail(message));
    default:
      return channel satisfies never;
  }
}

const settle = ({ kysely }: Database, { id }: ClaimedDelivery, changes: ReturnType<typeof sql>) =>
  sql`update alert_deliveries set ${changes} where id = ${id}`.execute(kysely);
