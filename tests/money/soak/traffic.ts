import { setTimeout as pause } from 'node:timers/promises';
import { hashKey } from '@tallyport/contracts';
import { ask, type ClientRequest } from '../client.ts';
import { paidKinds } from '../question-kinds.ts';
import type { Question } from '../question.ts';
import { newMark } from '../mark.ts';
import type { MoneySystem } from '../system.ts';
import { edgeOf } from '../edge-of.ts';
import { askAndLeave, leavingPoints } from './leaving.ts';
import { openSocketTraffic } from '../sockets/socket-traffic.ts';

interface TrafficOptions {
  perSecond: number;
  /** No further request is sent while this many are unanswered. */
  mostAtOnce: number;
  over: AbortSignal;
}

export interface TrafficResult {
  requests: readonly ClientRequest[];
  /** Number of requests not sent because too many were unanswered. */
  heldBack: number;
}

/**
 * Sends requests at a steady rate until `over` aborts, a third of them on sockets, and resolves when all are answered.
 */
export async function runTraffic(system: MoneySystem, options: TrafficOptions): Promise<TrafficResult> {
  const { perSecond, mostAtOnce, over } = options;
  const keys = await rareKeys(system);
  const sockets = openSocketTraffic(system);
  const requests: ClientRequest[] = [];
  const open = new Set<Promise<void>>();
  let heldBack = 0;
  const began = performance.now();
  for (let number = 0; !over.aborted; number += 1) {
    const aheadMs = (number / perSecond) * 1_000 - (performance.now() - began);
    if (aheadMs > 1) await pause(aheadMs, undefined, { signal: over }).catch(() => undefined);
    if (open.size >= mostAtOnce) {
      heldBack += 1;
      continue;
    }
    const sent =
      number % 3 === 1
        ? sockets.send(Math.floor(number / 3))
        : sendNext(system, number, keys[number % keys.length] ?? '');
    const answered: Promise<void> = Promise.all(sent).then((all) => {
      requests.push(...all);
      open.delete(answered);
    });
    open.add(answered);
  }
  await Promise.all(open);
  sockets.close();
  return { requests, heldBack };
}

/**
 * Out of twenty: four clients leave at one point each, two leave after some milliseconds, one sends twice, the others
 * once. Half of these ask in another way than the ordinary chat.
 */
function sendNext(system: MoneySystem, number: number, rareKey: string): Promise<ClientRequest>[] {
  const question: Question = { mark: newMark(), stream: number % 2 === 0, edge: edgeOf(number) };
  const turn = number % 20;
  const kind = number % 3 === 0 ? paidKinds[Math.floor(number / 3) % paidKinds.length] : undefined;
  if (turn > 6 && kind !== undefined) return [ask(system, { ...question, kind })];
  const point = leavingPoints[turn];
  if (point === 'in the answer') return [askAndLeave(system, { ...question, stream: true }, point)];
  if (point !== undefined) return [askAndLeave(system, { ...question, apiKey: rareKey }, point)];
  if (turn < 6) return [ask(system, { ...question, leaveAfterMs: number % 60 })];
  return Array.from({ length: turn === 6 ? 2 : 1 }, () => ask(system, question));
}

/** Enough keys that edge has evicted each before its next use, so that its clients leave during the key lookup. */
const rareKeyCount = 900;

async function rareKeys({ database }: MoneySystem): Promise<string[]> {
  const keys = Array.from({ length: rareKeyCount }, () => newMark());
  await database.kysely
    .insertInto('api_keys')
    .values(
      keys.map((key) => ({
        id: `key_${key}`,
        account_id: 'default',
        name: 'soak',
        prefix: key,
        key_hash: hashKey(key),
      })),
    )
    .execute();
  return keys;
}
