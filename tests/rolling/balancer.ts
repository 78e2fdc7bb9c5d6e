import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { answersOk } from '../support/probe.ts';

/** Time until all clients know of a new or leaving replica. */
const spreadMs = 500;
const checkEveryMs = 200;
/** Failed checks in a row after which a replica gets no new connections. */
const failureThreshold = 2;

interface BalancedReplica {
  url: string;
  adminUrl: string;
}

/** One address for all replicas of a service, like a Kubernetes Service: it balances connections, not requests. */
export interface Balancer {
  url: string;
  add(replica: BalancedReplica): void;
  /** Number of replicas that get new connections. */
  ready(): number;
  /** After `spreadMs` the replica gets no new connections; existing ones stay. */
  remove(replica: BalancedReplica): void;
  close(): void;
}

interface Member extends BalancedReplica {
  failures: number;
  leaving: boolean;
}

export async function startBalancer(): Promise<Balancer> {
  const members: Member[] = [];
  const sockets = new Set<Socket>();
  let turn = 0;
  const ready = () => members.filter(({ failures }) => failures < failureThreshold);
  const server = createServer({ noDelay: true }, (near) => {
    const choice = ready();
    const member = choice[turn++ % choice.length];
    if (member) join(near, member.url, sockets);
    else near.resetAndDestroy();
  });
  const checking = setInterval(() => members.forEach((member) => void check(member)), checkEveryMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (replica) => void members.push({ ...replica, failures: failureThreshold, leaving: false }),
    ready: () => ready().length,
    remove({ url }) {
      const leaving = members.find((member) => member.url === url);
      if (!leaving) return;
      leaving.leaving = true;
      setTimeout(() => members.splice(members.indexOf(leaving), 1), spreadMs).unref();
    },
    close() {
      clearInterval(checking);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function check(member: Member): Promise<void> {
  const ok = await answersOk(`${member.adminUrl}/readyz`);
  if (ok && !member.leaving) member.failures = 0;
  else member.failures++;
}

/** Copies bytes both ways. An end or a reset of one side is passed on to the other. */
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
