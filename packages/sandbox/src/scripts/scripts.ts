import type { Reply } from '../answer.ts';
import type { FaultEffect } from '../faults/fault.ts';
import { ofReply } from '../faults/fault.ts';
import { behaviourAt, type Behaviour, type Timeline } from './behaviour.ts';
import { createDice } from './dice.ts';

/** A provider's behaviour over time, starting now. */
export interface ScriptOrder extends Timeline {
  readonly provider: string;
  /** Absent: any model. */
  readonly model?: string;
}

interface RunningScript extends ScriptOrder {
  readonly elapsedMs: number;
  /** Absent: the script is over. */
  readonly now?: Behaviour;
}

export interface Scripts {
  /** Starts a script now. It replaces one for the same provider and model. */
  set(order: ScriptOrder): void;
  /** Without a provider all scripts are removed. */
  clear(provider?: string): void;
  list(): readonly RunningScript[];
  /** The fault for this request, if a script applies to it. */
  take(target: { provider: string; model: string | undefined }): { words: string; fault: FaultEffect } | undefined;
}

interface ScriptSettings {
  /** The same seed and order of requests give the same failures. */
  readonly seed: number;
  /** Milliseconds. */
  readonly clock: () => number;
}

const maxScripts = 100;

export function createScripts({ seed, clock }: ScriptSettings): Scripts {
  let running: { order: ScriptOrder; startedAt: number; dice: () => number }[] = [];
  return {
    set: (order) => {
      const others = running.filter(({ order: other }) => !isSameTarget(other, order));
      const started = { order, startedAt: clock(), dice: createDice(`${seed}/${order.provider}/${order.model ?? ''}`) };
      running = [started, ...others].slice(0, maxScripts);
    },
    clear: (provider) => {
      running = provider === undefined ? [] : running.filter(({ order }) => order.provider !== provider);
    },
    list: () =>
      running.map(({ order, startedAt }) => {
        const elapsedMs = clock() - startedAt;
        const now = behaviourAt(order, elapsedMs);
        return { ...order, elapsedMs, ...(now && { now }) };
      }),
    take: ({ provider, model }) => {
      const found = running.find(
        ({ order }) => order.provider === provider && (order.model === undefined || order.model === model),
      );
      const behaviour = found && behaviourAt(found.order, clock() - found.startedAt);
      return behaviour && found && meet(behaviour, found.dice());
    },
  };
}

const isSameTarget = (one: ScriptOrder, other: ScriptOrder) =>
  one.provider === other.provider && one.model === other.model;

function meet(behaviour: Behaviour, chance: number): { words: string; fault: FaultEffect } {
  const delayed = (reply: Reply): Reply => ({ ...reply, delayMs: reply.delayMs + Math.round(behaviour.latencyMs) });
  if (chance >= behaviour.uptime)
    return {
      words: `script: status:${behaviour.status}`,
      fault: (_, dialect) => delayed(withRetryAfter(dialect.failure(behaviour.status, behaviour), behaviour)),
    };
  return { words: 'script', fault: ofReply((reply) => delayed(paced(reply, behaviour))) };
}

const withRetryAfter = (reply: Reply, { retryAfter }: Behaviour): Reply =>
  retryAfter === undefined ? reply : { ...reply, headers: { ...reply.headers, 'retry-after': String(retryAfter) } };

const paced = (reply: Reply, { chunksPerSecond }: Behaviour): Reply =>
  reply.stream && chunksPerSecond !== undefined
    ? { ...reply, pace: { kind: 'timed', everyMs: 1000 / chunksPerSecond } }
    : reply;
