import type { AlertMessage } from './message.ts';
import type { Mail } from './send-email.ts';

const titles = { fired: 'Alert', resolved: 'Resolved', test: 'Test' } as const;

/** A message as e-mail. */
export const alertMail = ({ id, kind, at, alert, account, summary }: AlertMessage): Mail => ({
  subject: `${titles[kind]}: ${alert.name}`,
  lines: [summary, '', `Alert: ${alert.name}`, `Account: ${account.name}`, `Time: ${at.toISOString()}`],
  headers: { 'x-tallyport-event': id },
});
