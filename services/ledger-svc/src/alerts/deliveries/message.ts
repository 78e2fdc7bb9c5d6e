import { alertConditionSchema } from '@tallyport/management';
import type { Row } from '@tallyport/database';
import { consoleLinks, type MessageLinks } from './console-links.ts';

/** What receivers learn about an event. */
export interface AlertMessage {
  /** The same for each attempt, so that receivers recognise a repeated message. */
  id: string;
  kind: 'fired' | 'resolved' | 'test';
  at: Date;
  /** The condition as it is stored: it may be one of a newer version. */
  alert: { id: string; name: string; condition: unknown };
  account: { id: string; name: string };
  subject: { id: string; name: string };
  value: number | null;
  summary: string;
  links: MessageLinks;
}

interface MessagePlace {
  accountName: string;
  /** The public address without a trailing slash. */
  publicUrl: string;
}

export function alertMessage(event: Row<'alert_events'>, { accountName, publicUrl }: MessagePlace): AlertMessage {
  const { id, kind, at, subject, value, summary, alert_id: alertId, account_id: accountId } = event;
  const { data: condition } = alertConditionSchema.safeParse(event.condition);
  return {
    id,
    kind,
    at,
    alert: { id: alertId, name: event.alert_name, condition: condition ?? event.condition },
    account: { id: accountId, name: accountName },
    subject: { id: subject, name: event.subject_name },
    value,
    summary,
    links: consoleLinks(publicUrl, { kind, at, alertId, accountId, subject, condition }),
  };
}

/** The message was not accepted. The text is shown to admins of the account. */
export class DeliveryProblem extends Error {
  /** A further attempt has no chance. */
  readonly final: boolean;

  constructor(message: string, { cause, final = false }: { cause?: unknown; final?: boolean } = {}) {
    super(message, { cause });
    this.name = 'DeliveryProblem';
    this.final = final;
  }
}
