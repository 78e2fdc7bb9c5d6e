import type { ProgramName } from '../../../scripts/distributed/settings.ts';
import type { Distributed } from '../../../scripts/distributed/start.ts';

/** The metrics of one process. */
interface Samples {
  process: string;
  /** The sum over all labels of a metric; 0 if it has no samples. */
  sum(name: string): number;
}

const measured: readonly ProgramName[] = [
  'compact',
  'edge',
  'chat-svc',
  'catalog-svc',
  'auth-svc',
  'ledger-svc',
  'mcp-svc',
];

/** The metrics of every replica that answers within two seconds. */
export async function readSamples({ adminUrls }: Distributed): Promise<Samples[]> {
  const places = measured.flatMap((service) =>
    adminUrls[service].map((url, index) => ({ process: `${service} ${index + 1}`, url })),
  );
  const read = await Promise.allSettled(
    places.map(async ({ process, url }) => {
      const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(2_000) });
      return { process, sum: sumsOf(await answer.text()) };
    }),
  );
  return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function sumsOf(text: string): Samples['sum'] {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+)(?:\{.*\})? (\S+)/.exec(line) ?? [];
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return (name) => sums.get(name) ?? 0;
}

/** What is in flight, over all processes. */
export interface Inflight {
  requests: number;
  bytes: number;
  sockets: number;
}

export async function readInflight(gateway: Distributed): Promise<Inflight> {
  const samples = await readSamples(gateway);
  const sum = (name: string) => samples.reduce((total, each) => total + each.sum(name), 0);
  return {
    requests: sum('gateway_inflight_requests'),
    bytes: sum('gateway_inflight_bytes'),
    sockets: sum('gateway_sockets'),
  };
}
