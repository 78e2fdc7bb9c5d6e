import { connect } from 'nats';
import { expect, test } from 'vitest';
import { waitUntil } from '../support/probe.ts';
import { resume, suspend } from '../support/suspend.ts';
import { partOf } from '../support/scale.ts';
import { clusterGateway } from './cluster-gateway.ts';

// Long: it kills leaders of a cluster.
// About: packages/bus/src.

const gateway = clusterGateway();
const subject = 'tp.j.auth.usage';

/** The server that leads the journal. */
async function leaderOf(): Promise<number> {
  const [server = ''] = gateway.cluster().urls;
  const { host } = new URL(server);
  const connection = await connect({ servers: host, user: 'tallyport', pass: 'secret' });
  const { streams } = await connection.jetstreamManager();
  const { cluster } = await streams.info('tallyport-journal');
  await connection.close();
  return Number(cluster?.leader?.at(-1));
}

interface Fault {
  title: string;
  begin(server: number): Promise<void> | void;
  end(server: number): Promise<void> | void;
}

const member = (server: number) => gateway.cluster().servers[server];

const faults: readonly Fault[] = [
  {
    title: 'killed',
    begin: (server) => member(server)?.kill('SIGKILL'),
    end: (server) => member(server)?.restart(),
  },
  {
    title: 'hung',
    begin: (server) => suspend(member(server)?.pid),
    end: (server) => resume(member(server)?.pid),
  },
  ...(['closed', 'silent'] as const).map((state) => ({
    title: `cut off by ${state} links`,
    begin: (server: number) => gateway.cluster().link(server, state),
    end: (server: number) => gateway.cluster().link(server, 'open'),
  })),
];

test.each(partOf(faults, { one: 4 }))(
  'the leader of the journal is $title, with all processes at it: requests are answered and records are stored again',
  async ({ title, begin, end }) => {
    await gateway.openAll(() => 0);
    const read = new Set<string>();
    const consumer = await gateway
      .find('auth-svc')
      .link.journals.consume(subject, async (entries) => entries.forEach((entry) => read.add(String(entry))));
    const stored: string[] = [];
    let count = 0;
    const append = async (): Promise<boolean> => {
      const id = `${title} ${count++}`;
      const isStored = await gateway
        .find('chat-svc')
        .link.journals.append(subject, { id, bytes: Buffer.from(id) })
        .then(() => true, () => false); // prettier-ignore
      if (isStored) stored.push(id);
      return isStored;
    };
    await waitUntil('a record to be stored', append);
    const leader = await leaderOf();
    // All processes are at the server that fails.
    await Promise.all(gateway.processes().map((process) => process.close()));
    await gateway.openAll(() => leader);
    const again = await gateway
      .find('auth-svc')
      .link.journals.consume(subject, async (entries) => entries.forEach((entry) => read.add(String(entry))));
    await begin(leader);
    await waitUntil('all services to answer', gateway.isServed);
    await waitUntil('a record to be stored', append);
    for (let more = 0; more < 20; more++) await append();
    await end(leader);
    await waitUntil('all records to be read', () => stored.every((id) => read.has(id)));
    await again.stop();
    await consumer.stop();
    expect(stored.length).toBeGreaterThan(20);
  },
);
