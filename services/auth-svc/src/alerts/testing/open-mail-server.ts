import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  user: string | undefined;
  to: string[];
  raw: string;
}

/** A real mail server that keeps what it receives. `refuses` is the status with which it refuses addresses. */
export async function openMailServer({ refuses }: { refuses?: number } = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
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
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
