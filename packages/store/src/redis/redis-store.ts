import {
  boundedKey,
  checkAdditions,
  checkIncrement,
  checkPurse,
  checkRule,
  checkSharing,
  checkSpending,
  checkTtl,
  defaultMaxValueBytes,
} from '../arguments.ts';
import { withDeadline } from '../deadline.ts';
import type { Store, StoreOptions } from '../store.ts';
import { createSubscriptions } from '../subscriptions.ts';
import { reportLater } from '../report-later.ts';
import type { RedisAddress } from './address.ts';
import { createByteGate } from './byte-gate.ts';
import type { ByteGate } from './byte-gate.ts';
import { patiently } from './patience.ts';
import { openSession } from './session.ts';
import type { Session } from './session.ts';
import { explain } from './trouble.ts';

export interface RedisStoreOptions extends StoreOptions {
  address: RedisAddress;
}

const maxInFlightBytes = 64 * 1024 * 1024;

/**
 * Resolves after the first attempt to connect, even if it failed: the store can be used before its server is available.
 */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const { address, prefix = 'tallyport:', maxValueBytes = defaultMaxValueBytes, onTrouble } = options;
  const report = reportLater(onTrouble);
  const subscriptions = createSubscriptions(report, () => session.sync());
  const session = openSession({ address, prefix, subscriptions, report });
  const gate = createByteGate(maxInFlightBytes);
  await session.firstAttempt;

  return {
    ...countingOperations(session, prefix),
    ...valueOperations(session, { prefix, maxValueBytes, gate }),
    async publish(channel, payload) {
      if (payload.byteLength > maxValueBytes) return false;
      const name = `${prefix}channel:${channel}`;
      const reached = await session.run((client) =>
        gate.admit(payload.byteLength, () => client.publish(name, asBuffer(payload))),
      );
      return reached !== undefined;
    },
    subscribe: (channel, handler) => subscriptions.add(channel, handler),
    state: session.state,
    async ping(timeoutMs) {
      const client = session.ready();
      if (!client) return session.state();
      try {
        await withDeadline(timeoutMs, client.ping());
        return { connected: true };
      } catch (error) {
        return { connected: false, error: error instanceof Error ? explain(error) : 'connection lost' };
      }
    },
    async close() {
      subscriptions.clear();
      await session.close();
    },
  };
}

type CountingOperations = Pick<Store, 'accumulate' | 'increment' | 'purse' | 'share' | 'spend' | 'take'>;

function countingOperations(session: Session, prefix: string): CountingOperations {
  const runPatiently = patiently(session.run);
  return {
    async increment(key, by, ttlMs) {
      checkIncrement(by);
      checkTtl(ttlMs);
      const name = `${prefix}counter:${boundedKey(key)}`;
      return session.run((client) => client.increment(name, { by, ttlMs }));
    },
    async take(key, rule) {
      checkRule(rule);
      const name = `${prefix}bucket:${boundedKey(key)}`;
      return session.run((client) => client.take(name, rule));
    },
    async spend(key, rule) {
      checkSpending(rule);
      const name = `${prefix}window:${boundedKey(key)}`;
      return session.run((client) => client.spend(name, rule));
    },
    async share(key, rule) {
      checkSharing(rule);
      const name = `${prefix}shares:${boundedKey(key)}`;
      return session.run((client) => client.share(name, rule));
    },
    async purse(key, step, keepMs) {
      checkPurse(step, keepMs);
      const name = `${prefix}purse:${boundedKey(key)}`;
      const run = step.kind === 'settle' || step.kind === 'recall' ? runPatiently : session.run;
      return run((client) => client.purse(name, { step, keepMs }));
    },
    async accumulate(key, additions, halfLifeMs) {
      checkAdditions(additions, halfLifeMs);
      const name = `${prefix}fading:${boundedKey(key)}`;
      return session.run((client) => client.accumulate(name, { additions, halfLifeMs }));
    },
  };
}

type ValueOperations = Pick<Store, 'get' | 'set' | 'setIfAbsent' | 'setIfOurs' | 'delete' | 'deleteIfEqual'>;

interface ValueOptions {
  prefix: string;
  maxValueBytes: number;
  gate: ByteGate;
}

function valueOperations(session: Session, { prefix, maxValueBytes, gate }: ValueOptions): ValueOperations {
  const nameOf = (key: string) => `${prefix}value:${boundedKey(key)}`;
  const tooLarge = (value: Uint8Array) => value.byteLength > maxValueBytes;
  return {
    async get(key) {
      const value = await session.run((client) => client.get(nameOf(key)));
      return value instanceof Uint8Array ? new Uint8Array(value) : undefined;
    },
    async set(key, value, ttlMs) {
      checkTtl(ttlMs);
      if (tooLarge(value)) return 'too_large';
      const expiration = { type: 'PX', value: ttlMs } as const;
      const reply = await session.run((client) =>
        gate.admit(value.byteLength, () => client.set(nameOf(key), asBuffer(value), { expiration })),
      );
      return reply === undefined ? 'unknown' : 'stored';
    },
    async setIfAbsent(key, value, ttlMs) {
      checkTtl(ttlMs);
      if (tooLarge(value)) return 'too_large';
      const options = { expiration: { type: 'PX', value: ttlMs }, condition: 'NX', GET: true } as const;
      const reply = await session.run((client) =>
        gate.admit(value.byteLength, () => client.set(nameOf(key), asBuffer(value), options)),
      );
      // With GET the reply is the previous value: null when ours was stored.
      if (reply === null) return 'stored';
      return reply instanceof Uint8Array ? { present: new Uint8Array(reply) } : 'unknown';
    },
    async setIfOurs(key, { mark, value }, ttlMs) {
      checkTtl(ttlMs);
      if (tooLarge(value)) return 'too_large';
      const marked = { mark: asBuffer(mark), value: asBuffer(value), ttlMs };
      const reply = await session.run((client) =>
        gate.admit(value.byteLength, () => client.setIfOurs(nameOf(key), marked)),
      );
      return reply ?? 'unknown';
    },
    async delete(key) {
      return (await session.run((client) => client.del(nameOf(key)))) !== undefined;
    },
    async deleteIfEqual(key, expected) {
      return session.run((client) => client.deleteIfEqual(nameOf(key), asBuffer(expected)));
    },
  };
}

/** A Buffer on the same memory, without a copy. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
