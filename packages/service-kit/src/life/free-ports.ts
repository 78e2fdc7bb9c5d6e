import { createServer } from 'node:http';
import { closeServer, listen } from '../admin/listen.ts';
import { portsInUse, StartError } from './start-error.ts';

interface ServerPlace {
  /** The setting with the port. */
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

/** Rejects with a StartError that names every port in use. Other errors of the system are those of `listen`. */
export async function requireFreePorts(places: readonly ServerPlace[]): Promise<void> {
  const used: ServerPlace[] = [];
  for (const place of places) if (!(await isFree(place))) used.push(place);
  if (used.length > 0) throw new StartError(portsInUse(used));
}

async function isFree(place: ServerPlace): Promise<boolean> {
  const server = createServer();
  try {
    await listen(server, place);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    await closeServer(server, 0);
  }
}
