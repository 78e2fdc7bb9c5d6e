import type { ArmedFaults } from '../faults/armed.ts';
import type { Received, Recorder } from '../recorder.ts';
import { sandboxProviders } from '../providers.ts';
import type { Behaviour } from '../scripts/behaviour.ts';
import type { Scripts } from '../scripts/scripts.ts';

/** A provider as shown on the page. */
export interface ProviderView {
  readonly id: string;
  readonly models: readonly string[];
  /** The active fault; absent: healthy. */
  readonly fault?: string;
  readonly requests: readonly RequestView[];
}

export interface RequestView {
  readonly agoSeconds: number;
  readonly model: string;
  readonly result: string;
  readonly kind: 'good' | 'bad' | 'open';
  readonly tookMs: number | undefined;
}

export interface ViewParts {
  readonly armed: ArmedFaults;
  readonly scripts: Scripts;
  readonly recorder: Recorder;
}

const maxRequests = 6;

/** The sandbox providers, and every other provider that has received a request. */
export function viewOf(parts: ViewParts, now: number): ProviderView[] {
  const models = new Map<string, readonly string[]>(sandboxProviders.map(({ id, models: known = [] }) => [id, known]));
  for (const { provider } of parts.recorder.requests)
    if (provider !== 'none' && !models.has(provider)) models.set(provider, []);
  return [...models].map(([id, known]) => {
    const fault = faultOf(id, parts);
    const requests = parts.recorder.requests.filter(({ provider }) => provider === id).slice(-maxRequests);
    return {
      id,
      models: known,
      ...(fault !== undefined && { fault }),
      requests: requests.toReversed().map((request) => requestView(request, now)),
    };
  });
}

/** The fault of the provider as a whole: armed for it or for all providers, or from a running script. */
function faultOf(id: string, { armed, scripts }: ViewParts): string | undefined {
  const order = armed.list().find(({ provider }) => provider === undefined || provider === id);
  if (order !== undefined)
    return `${order.provider === undefined ? 'all broken' : 'broken'}: ${order.fault}${order.model === undefined ? '' : ` (${order.model})`}`;
  const script = scripts.list().find(({ provider, now }) => provider === id && now !== undefined);
  return script?.now && `script: ${describe(script.now)}`;
}

const describe = ({ uptime, latencyMs }: Behaviour): string =>
  `${Math.round(uptime * 100)} % up${latencyMs >= 1 ? `, +${Math.round(latencyMs)} ms` : ''}`;

function requestView(request: Received, now: number): RequestView {
  const { outcome, status, receivedAt, endedAt, model = '', fault } = request;
  const good = outcome === 'answered' && status !== undefined && status < 400 && !/error/.test(fault ?? '');
  return {
    agoSeconds: Math.max(0, Math.round((now - receivedAt) / 1000)),
    model,
    result: resultOf(request),
    kind: outcome === 'open' ? 'open' : good ? 'good' : 'bad',
    tookMs: endedAt === undefined ? undefined : endedAt - receivedAt,
  };
}

function resultOf({ outcome, status }: Received): string {
  switch (outcome) {
    case 'open':
      return status === undefined ? 'waiting' : 'answering';
    case 'answered':
      return String(status);
    case 'broken':
      return status === undefined ? 'connection reset' : 'broken off';
    case 'aborted':
      return 'client left';
    default:
      return outcome satisfies never;
  }
}
