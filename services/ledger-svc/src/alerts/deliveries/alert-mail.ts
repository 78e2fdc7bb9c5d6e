import { messageTitles } from './chat-messages.ts';
import type { AlertMessage } from './message.ts';
import type { Mail } from './send-email.ts';

/** A message as e-mail. */
export const alertMail = ({ id, kind, at, alert, account, summary, links }: AlertMessage): Mail => ({
  subject: `${messageTitles[kind]}: ${alert.name}`,
  lines: [
    summary,
    '',
    `Alert: ${alert.name}`,
    `Account: ${account.name}`,
    `Time: ${at.toISOString()}`,
    '',
    `Open in the console: ${links.console}`,
    ...(links.requests === undefined ? [] : [`Requests: ${links.requests}`]),
  ],
  headers: { 'x-tallyport-event': id },
});
