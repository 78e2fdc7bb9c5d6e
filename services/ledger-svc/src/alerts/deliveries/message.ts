import { type AlertCondition, alertConditionSchema } from '@tallyport/management';
import type { Row } from '@tallyport/database';

/** What receivers learn about an event. */
export interface AlertMessage {
  /** The same for each attempt, so that receivers recognise a repeated message. */
  id: string;
  kind: 'fired' | 'resolved' | 'test';
  at: Date;
  alert: { id: string; name: string; condition: AlertCondition };
  account: { id: string; name: string };
  subject: { id: string; name: string };
  value: number | null;
  summary: string;
}

export const alertMessage = (event: Row<'alert_events'>, accountName: string): AlertMessage => ({
  id: event.id,
  kind: event.kind,
  at: event.at,
  alert: { id: event.alert_id, name: event.alert_name, condition: alertConditionSchema.parse(event.condition) },
  account: { id: event.account_id, name: accountName },
  subject: { id: event.subject, name: event.subject_name },
  value: event.value,
  summary: event.summary,
});

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
