import { createTransport, type Transporter } from 'nodemailer';
import { isLocalHost } from '@tallyport/management-server';
import { DeliveryProblem } from './message.ts';

export interface Mail {
  subject: string;
  /** One line each. */
  lines: readonly string[];
  headers?: Record<string, string>;
}

export interface EmailSender {
  /** Rejects with DeliveryProblem unless the mail server accepted the message. */
  send(to: string, mail: Mail): Promise<void>;
  close(): void;
}

interface MailServer {
  /** `smtp://` or `smtps://`, with the user name and password if the server needs them. */
  url: string;
  from: string;
}

const deadlineMs = 10_000;

/** Sends e-mail in plain text. Attachments from files and addresses, which no message has, are switched off. */
export function createEmailSender({ url, from }: MailServer): EmailSender {
  const transport: Transporter = createTransport(
    // Options in the URL win.
    { url, requireTLS: hasPassword(url) && !isLoopback(url) },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send(to, { subject, lines, headers }) {
      const deadline = new DeliveryProblem(`The mail server did not answer within ${deadlineMs / 1000} seconds.`);
      const sent = transport.sendMail({
        to,
        subject: `[Tallyport] ${oneLine(subject)}`,
        text: `${lines.map(oneLine).join('\n')}\n`,
        headers: { ...headers, 'auto-submitted': 'auto-generated' },
      });
      await within(sent, deadline).catch((error: unknown) => {
        throw error instanceof DeliveryProblem ? error : problemOf(error);
      });
    },
    close: () => transport.close(),
  };
}

/** Without TLS the password could be read on the way, also by a server that answers in its place. */
const hasPassword = (url: string): boolean => URL.parse(url)?.username !== '';

const isLoopback = (url: string): boolean => isLocalHost(URL.parse(url)?.hostname ?? '');

/** Names and models may have line breaks, which would look like lines of ours. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** The transport has time limits for each step of the connection, but none for all of them together. */
async function within(sent: Promise<unknown>, deadline: DeliveryProblem): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(deadline), deadlineMs);
  });
  try {
    await Promise.race([sent, late]);
  } finally {
    clearTimeout(timer);
    // It may still fail after the deadline.
    sent.catch(() => undefined);
  }
}

/** The server's own words may contain what it was sent, so only its status is shown. */
function problemOf(error: unknown): DeliveryProblem {
  if (error instanceof Error && 'code' in error && error.code === 'ETLS')
    return new DeliveryProblem('The mail server offers no encryption that can be used, so nothing was sent.', {
      cause: error,
    });
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : undefined;
  if (status === undefined) return new DeliveryProblem('The mail server could not be reached.', { cause: error });
  const final = status >= 550 && status <= 554;
  return new DeliveryProblem(`The mail server refused the message with status ${status}.`, { cause: error, final });
}
