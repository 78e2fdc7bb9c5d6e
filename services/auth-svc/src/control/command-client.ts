import { createClient, type Link } from '@tallyport/bus';
import { authService } from '@tallyport/contracts';
import { patient } from '@tallyport/management-server';
import type { CommandClient } from './administration.ts';

/** The operations of commands over the bus. */
export function commandClient(link: Link): CommandClient {
  const client = createClient(link, authService);
  return {
    createKey: patient(client.createKey),
    listKeys: patient(client.listKeys),
    makePasswordLink: patient(client.makePasswordLink),
    revokeKey: patient(client.revokeKey),
  };
}
