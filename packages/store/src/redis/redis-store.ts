import {
  boundedKey,
  checkAdditions,
  checkAdmission,
  checkIncrement,
  checkPresence,
  checkPurse,
  checkQueue,
  checkRule,
  checkSharing,
  checkSpending,
  checkTtl,
  defaultMaxValueBytes,
} from '../arguments.ts';
import type { Store, StoreOptions } from '../store.ts';
import { createSubscriptions } from '../subscriptions.ts';
import { reportLater } from '../report-later.ts';
import { runAccumulate } from './accumulate.ts';
import { runAdmit } from './admit.ts';
import type { RedisAddress } from './address.ts';
import { patiently } from './patience.ts';
import { runPresent } from './present.ts';
import { runPurse } from './purse.ts';
import { runQueue } from './queue.ts';
import { runTake } from './scripts.ts';
import { type Command, openSession, type Session } from './session.ts';
import { runShare } from './share.ts';
import { runSpend } from './spend.ts';

export interface RedisStoreOptions extends StoreOptions {
  address: RedisAddress;
}

/**
 * Resolves after the first attempt to connect, even if it failed: the store can be used before its server is available.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const { address, prefix = 'tallyport:', maxValueBytes = defaultMaxValueBytes, onTrouble } = options;
  const report = reportLater(onTrouble);
  const subscriptions = createSubscriptions(report, () => session.sync());
  const session = openSession({ address, prefix, subscriptions, report });
  await session.firstAttempt;

  return {
    ...countingOperations(session, prefix),
    ...valueOperations(session, { prefix, maxValueBytes }),
    async publish(channel, payload) {
      if (payload.byteLength > maxValueBytes) return false;
      const name = `${prefix}channel:${channel}`;
      const publish = () => session.channels.publish(name, asBuffer(payload));
      return (await session.run(name, publish, payload.byteLength)) !== undefined;
    },
    subscribe: (channel, handler) => subscriptions.add(channel, handler),
    state: session.state,
    ping: session.ping,
    async close() {
      subscriptions.clear();
      await session.close();
    },
  };
}

type CountingOperations = Pick<
  Store,
  'accumulate' | 'admit' | 'increment' | 'present' | 'purse' | 'queue' | 'share' | 'spend' | 'take'
>;

function countingOperations(session: Session, prefix: string): CountingOperations {
  const runPatiently = patiently(session.run);
  return {
    async increment(key, by, ttlMs) {
      checkIncrement(by);
      checkTtl(ttlMs);
      const name = `${prefix}counter:${boundedKey(key)}`;
      return session.run(name, (client) => client.increment(name, by, ttlMs));
    },
    async take(key, rule) {
      checkRule(rule);
      const name = `${prefix}bucket:${boundedKey(key)}`;
      return session.run(name, (client) => runTake(client, name, rule));
    },
    async spend(key, rule) {
      checkSpending(rule);
      const name = `${prefix}window:${boundedKey(key)}`;
      return session.run(name, (client) => runSpend(client, name, rule));
    },
    async share(key, rule) {
      checkSharing(rule);
      const name = `${prefix}shares:${boundedKey(key)}`;
      return session.run(name, (client) => runShare(client, name, rule));
    },
    async present(key, rule) {
      checkPresence(rule);
      const name = `${prefix}present:${boundedKey(key)}`;
      return session.run(name, (client) => runPresent(client, name, rule));
    },
    async admit(key, rule) {
      checkAdmission(rule);
      const name = `${prefix}set:${boundedKey(key)}`;
      return session.run(name, (client) => runAdmit(client, name, rule));
    },
    async queue(key, step) {
      checkQueue(step);
      const name = `${prefix}queue:${boundedKey(key)}`;
      return session.run(name, (client) => runQueue(client, name, step));
    },
    async purse(key, step, keepMs) {
      checkPurse(step, keepMs);
      const name = `${prefix}purse:${boundedKey(key)}`;
      const run = step.kind === 'settle' || step.kind === 'recall' ? runPatiently : session.run;
      return run(name, (client) => runPurse(client, name, { step, keepMs }));
    },
    async accumulate(key, additions, halfLifeMs) {
      checkAdditions(additions, halfLifeMs);
      const name = `${prefix}sums:${boundedKey(key)}`;
      return session.run(name, (client) => runAccumulate(client, name, { additions, halfLifeMs }));
    },
  };
}

type ValueOperations = Pick<Store, 'get' | 'find' | 'set' | 'setIfAbsent' | 'setIfOurs' | 'delete' | 'deleteIfEqual'>;

interface ValueOptions {
  prefix: string;
  maxValueBytes: number;
}

function valueOperations(session: Session, { prefix, maxValueBytes }: ValueOptions): ValueOperations {
  const nameOf = (key: string) => `${prefix}value:${boundedKey(key)}`;
  const tooLarge = (value: Uint8Array) => value.byteLength > maxValueBytes;
  /** `null` if there is none. */
  const read = (key: string): Promise<Buffer | null | undefined> => {
    const name = nameOf(key);
    return session.run(name, (client) => client.getBuffer(name));
  };
  return {
    async get(key) {
      const value = await read(key);
      return value ? new Uint8Array(value) : undefined;
    },
    async find(key) {
      const value = await read(key);
      if (value === undefined) return 'unknown';
      return value === null ? 'none' : new Uint8Array(value);
    },
    async set(key, value, ttlMs) {
      checkTtl(ttlMs);
      if (tooLarge(value)) return 'too_large';
      const name = nameOf(key);
      const set: Command<'OK'> = (client) => client.set(name, asBuffer(value), 'PX', ttlMs);
      return (await session.run(name, set, value.byteLength)) === undefined ? 'unknown' : 'stored';
    },
    async setIfAbsent(key, value, ttlMs) {
      checkTtl(ttlMs);
      if (tooLarge(value)) return 'too_large';
      const name = nameOf(key);
      const set: Command<Buffer | null> = (client) => client.setBuffer(name, asBuffer(value), 'PX', ttlMs, 'NX', 'GET');
      const previous = await session.run(name, set, value.byteLength);
      if (previous === undefined) return 'unknown';
      return previous === null ? 'stored' : { present: new Uint8Array(previous) };
    },
    async setIfOurs(key, { mark, value }, ttlMs) {
      checkTtl(ttlMs);
      if (tooLarge(value)) return 'too_large';
      const name = nameOf(key);
      const set: Command<0 | 1> = (client) => client.setIfOurs(name, asBuffer(mark), asBuffer(value), ttlMs);
      const written = await session.run(name, set, value.byteLength);
      if (written === undefined) return 'unknown';
      return written === 1 ? 'stored' : 'taken';
    },
    async delete(key) {
      const name = nameOf(key);
      return (await session.run(name, (client) => client.del(name))) !== undefined;
    },
    async deleteIfEqual(key, expected) {
      const name = nameOf(key);
      const deleted = await session.run(name, (client) => client.deleteIfEqual(name, asBuffer(expected)));
      return deleted === undefined ? undefined : deleted === 1;
    },
  };
}

/** A Buffer on the same memory, without a copy. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
