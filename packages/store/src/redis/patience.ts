import { withDeadline } from '../deadline.ts';
import type { Command, Session } from './session.ts';

/** By then a connection to a server that hangs has been given up. */
const patienceMs = 3_000;

/**
 * For commands that count twice when they are repeated: one that was sent and is late is still waited for, until its
 * connection ends or for three seconds.
 */
export const patiently = (run: Session['run']): Session['run'] =>
  async function runPatiently<Result>(key: string, command: Command<Result>) {
    const sent: { answer?: Promise<Result> } = {};
    const result = await run(key, (client) => (sent.answer = command(client)));
    return result ?? (sent.answer && withDeadline(patienceMs, sent.answer).catch(() => undefined));
  };
