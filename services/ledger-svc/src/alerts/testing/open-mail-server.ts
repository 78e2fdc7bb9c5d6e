import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  user: string | undefined;
  to: string[];
  raw: string;
}

export interface MailServerOptions {
  /** The status with which it refuses addresses. */
  refuses?: number;
  /** Whether it offers STARTTLS, with a certificate that no client trusts. */
  startTls?: boolean;
}

/** A real mail server that keeps what it receives. */
export async function openMailServer({ refuses, startTls = false }: MailServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  /** For each sign-in, whether the connection was encrypted. */
  const signIns: boolean[] = [];
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: startTls ? [] : ['STARTTLS'],
    onAuth({ username, password }, { secure }, done) {
      signIns.push(secure);
      if (password === 'secret') done(null, { user: username });
      else done(new Error('wrong password'));
    },
    onRcptTo(_address, _session, done) {
      done(refuses === undefined ? null : Object.assign(new Error('not here'), { responseCode: refuses }));
    },
    onData(stream, { envelope, user }, done) {
      void text(stream).then((raw) => {
        mails.push({ user: String(user), to: envelope.rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://user:secret@127.0.0.1:${port}`,
    port,
    mails,
    signIns,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The text of a mail whose long lines were broken for the way. */
export const withoutSoftBreaks = (raw: string): string => raw.replaceAll('=\r\n', '');
