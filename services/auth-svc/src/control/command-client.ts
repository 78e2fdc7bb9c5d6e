import { type CallOptions, createClient, type Link } from '@tallyport/bus';
import { authService } from '@tallyport/contracts';
import type { Administration } from './administration.ts';

/**
 * Longer than the usual limit of a call, because the embedded database may be busy. Shorter than the limit of the command socket, so that its caller reads the reason.
 */
const commandMs = 50_000;

/** The operations of commands over the bus. */
export function commandClient(link: Link): Omit<Administration, 'close'> {
  const client = createClient(link, authService);
  return {
    createKey: patient(client.createKey),
    listKeys: patient(client.listKeys),
    makePasswordLink: patient(client.makePasswordLink),
    revokeKey: patient(client.revokeKey),
  };
}

const patient =
  <Input, Output>(call: (input: Input, options: CallOptions) => Promise<Output>) =>
  (input: Input): Promise<Output> =>
    call(input, { timeoutMs: commandMs });
