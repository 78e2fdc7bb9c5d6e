import { connect } from 'node:net';

export interface ProxyTargets {
  /** The replica whose turn it is among those that answer; when none does, the one whose turn it is, to fail there. */
  next(): Promise<string>;
  /** A request to it failed: it is looked at before it gets another one. */
  suspect(target: string): void;
}

/** A replica that answered a look is trusted for this long. */
const trustedMs = 1_000;
const lookMs = 500;

/** Takes turns between replicas. One that is gone is passed over; it is back as soon as it takes connections again. */
export function createTargets(
  addresses: () => readonly string[],
  look: typeof takesConnections = takesConnections,
): ProxyTargets {
  const trustedUntil = new Map<string, number>();
  let turn = 0;

  async function answers(target: string): Promise<boolean> {
    if ((trustedUntil.get(target) ?? 0) > performance.now()) return true;
    if (!(await look(target))) return false;
    trustedUntil.set(target, performance.now() + trustedMs);
    return true;
  }

  return {
    async next() {
      const targets = addresses();
      const first = turn++ % targets.length;
      // With only one there is nothing to choose.
      if (targets.length === 1) return targets[0]!;
      const order = [...targets.slice(first), ...targets.slice(0, first)];
      for (const target of order) if (await answers(target)) return target;
      return order[0]!;
    },
    suspect(target) {
      trustedUntil.delete(target);
    },
  };
}

function takesConnections(target: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(target);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)), timeout: lookMs });
    const end = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
