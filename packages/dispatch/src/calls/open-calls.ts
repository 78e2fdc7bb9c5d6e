import { type ChatProvider, findChatProvider } from '@tallyport/providers';
import { createPools } from '@tallyport/outbound';
import { createKeyBench } from '../attempts/key-bench.ts';
import type { UpstreamTry } from '../attempts/open-request.ts';
import { defaultTimeouts, type Timeouts } from '../attempts/timeouts.ts';
import { type Approach, type DispatchTools, type Trial, unreachableProvider } from '../attempts/try-offer.ts';
import type { DispatchOptions } from '../chat/chat-dispatch.ts';
import { defaultRouting } from '../settings.ts';
import type { PlannedCall } from './call-job.ts';

/** How one kind of call is sent. */
export interface CallApproach<Call, Format, Answer> {
  /** The vendor's API; absent if it has none. */
  formatOf(provider: ChatProvider): Format | undefined;
  /** One attempt at one offer. */
  run(attempt: CallAttempt<Call, Format>): Promise<Answer>;
  /** See `Approach`. */
  streaming: boolean;
}

export interface CallAttempt<Call, Format> extends UpstreamTry {
  equipment: UpstreamTry['equipment'] & { timeouts: Timeouts };
  format: Format;
  /** What the client requested. */
  wanted: Call;
}

/** What runs calls of one kind over the offers of their plans; see `withFailover`. */
export interface OpenCalls<Call, Format, Answer> {
  tools: DispatchTools;
  approach: Approach<PlannedCall<Call>, CallAttempt<Call, Format>, Answer>;
  /** Closes every upstream connection; requests still in progress fail. */
  close(): Promise<void>;
}

const defaultMaxResponseBytes = 128 * 1024 * 1024;

export function openCalls<Call, Format, Answer>(
  { formatOf, run, streaming }: CallApproach<Call, Format, Answer>,
  options: DispatchOptions,
): OpenCalls<Call, Format, Answer> {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const { targets, standings, routing = defaultRouting, maxResponseBytes = defaultMaxResponseBytes } = options;
  const equipment = { pools: createPools({ connectMs: timeouts.connectMs }), timeouts, maxResponseBytes };
  const attempt = (trial: Trial<PlannedCall<Call>>): CallAttempt<Call, Format> => {
    const { providerId } = trial.offer;
    const provider = findChatProvider(providerId) ?? targets.custom?.(providerId);
    const format = provider && formatOf(provider);
    if (provider === undefined || format === undefined) throw unreachableProvider(providerId);
    return { ...attemptOf(trial), equipment, provider, format };
  };
  return {
    tools: { targets, standings, routing, pools: equipment.pools, keys: createKeyBench(() => performance.now()) },
    approach: { streaming, run, attempt },
    close: () => equipment.pools.close(),
  };
}

const attemptOf = <Call>({ run, offer, target }: Trial<PlannedCall<Call>>) => ({
  wanted: run.job.call,
  target,
  offer,
  status: null,
  call: undefined,
  stopped: run.left,
  accepted: { count: 0 },
  connections: [],
});
