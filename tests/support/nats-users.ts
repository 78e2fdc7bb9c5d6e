import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allUsers, passwordVariable, usersFile } from '../../deploy/nats/users.ts';
import { startNats, type TestServer } from './servers.ts';

export interface NatsWithUsers extends TestServer {
  /** The address for a service, with its user. */
  urlOf(service: string): string;
}

/** A private nats-server on which each service has its own user, and compact too, with the permissions that the project ships. */
export async function startNatsWithUsers(): Promise<NatsWithUsers> {
  const directory = await mkdtemp(join(tmpdir(), 'tallyport-nats-users-'));
  const file = join(directory, 'nats.conf');
  const passwords = allUsers.map((service) => `${passwordVariable(service)}: "of ${service}"\n`);
  await writeFile(file, passwords.join('') + usersFile(allUsers));
  const server = await startNats({ args: ['--config', file] });
  return Object.assign(Object.create(server) as TestServer, {
    urlOf: (service: string) => `nats://${service}:${encodeURIComponent(`of ${service}`)}@${new URL(server.url).host}`,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true });
    },
  });
}
