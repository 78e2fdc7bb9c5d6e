import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** How long it takes until everybody who sends requests has learnt that a replica came or is to go. */
const spreadMs = 500;
const lookEveryMs = 200;
/** Looks in a row that must fail before a replica gets nothing new. */
const patience = 2;

export interface Balanced {
  url: string;
  adminUrl: string;
}

/** One address for all replicas of a service, as a Service of Kubernetes is: it knows connections, not requests. */
export interface Balancer {
  url: string;
  add(replica: Balanced): void;
  /** How many get new connections now. */
  ready(): number;
  /** It gets nothing new from a moment later on; its connections stay. */
  remove(replica: Balanced): void;
  close(): void;
}

interface Member extends Balanced {
  failures: number;
  leaving: boolean;
}

export async function startBalancer(): Promise<Balancer> {
  const members: Member[] = [];
  const sockets = new Set<Socket>();
  let turn = 0;
  const ready = () => members.filter(({ failures }) => failures < patience);
  const server = createServer({ noDelay: true }, (near) => {
    const choice = ready();
    const member = choice[turn++ % choice.length];
    if (member) join(near, member.url, sockets);
    else near.resetAndDestroy();
  });
  const looking = setInterval(() => members.forEach((member) => void look(member)), lookEveryMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (replica) => void members.push({ ...replica, failures: patience, leaving: false }),
    ready: () => ready().length,
    remove({ url }) {
      const leaving = members.find((member) => member.url === url);
      if (!leaving) return;
      leaving.leaving = true;
      setTimeout(() => members.splice(members.indexOf(leaving), 1), spreadMs).unref();
    },
    close() {
      clearInterval(looking);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function look(member: Member): Promise<void> {
  const response = await fetch(`${member.adminUrl}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(
    () => undefined,
  );
  await response?.body?.cancel();
  if (response?.ok && !member.leaving) member.failures = 0;
  else member.failures++;
}

/** Bytes both ways. What ends on one side ends on the other in the same way: in order, or by a reset. */
function join(near: Socket, url: string, sockets: Set<Socket>): void {
  const { hostname, port } = new URL(url);
  const far = connect({ host: hostname, port: Number(port), noDelay: true });
  for (const [socket, other] of [
    [near, far],
    [far, near],
  ] as const) {
    sockets.add(socket);
    socket.pipe(other);
    socket.on('error', () => other.resetAndDestroy());
    socket.on('close', () => sockets.delete(socket));
  }
}
