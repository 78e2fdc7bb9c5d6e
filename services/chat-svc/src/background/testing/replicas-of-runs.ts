import type { ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import type { ResponseHead } from '@tallyport/contracts';
import { createByteQuota, openMemoryStore, type Store } from '@tallyport/store';
import { expect } from 'vitest';
import { responseRuns } from '../../responses/response-runs.ts';
import { type Background, createBackground } from '../background.ts';
import type { LoggedEvent } from '../run-log.ts';
import type { RunTools } from '../run-tools.ts';
import { createRuns, type FoundRun, type NewRun, type Runs } from '../runs.ts';

/** Replicas that share a store, and make answers as the test says. */
export interface RunReplicas {
  store: Store;
  start(options?: ReplicaOptions): RunReplica;
  /** The ids of responses that are stored. */
  stored: Set<string>;
  stop(): Promise<void>;
}

interface ReplicaOptions extends Partial<Pick<RunTools, 'enter' | 'maxLogBytes'>> {
  mostRunning?: number;
  mostOpen?: number;
  /** The store as this replica finds it. */
  faulty?(store: Store): Partial<Store>;
}

export interface RunReplica {
  background: Background;
  runs: Runs;
  /** The answers that it makes, in order. */
  answers: MadeAnswer[];
  /** The ids of the runs that it charged, in order. */
  charged: string[];
  /** What became of its runs. */
  moves: string[];
  ended: string[];
  /** It hears nothing of the store, like a process that is suspended. */
  suspend(): void;
  resume(): void;
}

/** An answer that the test makes. */
interface MadeAnswer {
  id: string;
  signal: AbortSignal;
  /** Reports that a provider is called now. */
  call(): Promise<void>;
  /** Sends an event of a stream. */
  say(type: string, members?: object): void;
  /** Ends the answer with its response, which is stored and charged. */
  complete(): Promise<void>;
  /** Ends its stream. */
  end(): void;
  refuse(error: Error): void;
}

const times = {
  lookEveryMs: 20,
  leaseMs: 200,
  renewEveryMs: 50,
  openMs: 60_000,
  waitMs: 60_000,
  lifeMs: 60_000,
  logMs: 60_000,
  keepMs: 60_000,
} as const;

const outline = { object: 'response', output: [] };

export const newRun = (id: string, { accountId = 'account', stream = true, isFollowed = false } = {}): NewRun => ({
  id,
  owner: { accountId },
  api: 'openai-responses',
  answerRules: '',
  createdAt: Date.now(),
  isFollowed,
  request: {
    head: { requestId: 'req_test', timeoutMs: 60_000, headers: {} },
    body: Buffer.from(JSON.stringify({ stream })),
    outline: { ...outline, id },
  },
});

export function startRunReplicas(): RunReplicas {
  const store = openMemoryStore();
  const stored = new Set<string>();
  const backgrounds: Background[] = [];
  return {
    store,
    stored,
    start(options = {}) {
      const replica = startReplica(store, stored, options);
      backgrounds.push(replica.background);
      return replica;
    },
    async stop() {
      await Promise.all(backgrounds.map((each) => each.drain(0)));
      await store.close();
    },
  };
}

function startReplica(shared: Store, stored: Set<string>, options: ReplicaOptions): RunReplica {
  const { mostRunning = 10, mostOpen = 10, maxLogBytes = 100_000, enter = () => () => {}, faulty } = options;
  const { store, suspend, resume } = suspendable({ ...shared, ...faulty?.(shared) });
  const answers: MadeAnswer[] = [];
  const charged: string[] = [];
  const moves: string[] = [];
  const ended: string[] = [];
  const form = responseRuns({
    stored: {
      find: async (_owner, id) => {
        const response = { id, status: 'completed', output: [], store: true };
        return stored.has(id)
          ? { id, head: head(), read: async () => ({ response, input: [], output: [] }) }
          : undefined;
      },
      delete: async (_owner, id) => stored.delete(id),
    },
    handler: ({ id }) => answering(id, { answers, charged, stored }),
  });
  const runs = createRuns({
    store,
    quota: createByteQuota({ store, name: 'background', maxBytes: 100_000 }),
    mostOpen,
    keyMs: 60_000,
    ...times,
  });
  const background = createBackground({
    store,
    runs,
    forms: { [form.name]: form },
    times,
    room: { held: 0, limit: 1_000_000 },
    maxLogBytes,
    mostRunning,
    events: {
      ended: (result) => void ended.push(result),
      moved: (move) => void moves.push(move),
      failed: (error) => void moves.push(String(error)),
    },
    enter,
  });
  background.start();
  return { background, runs, answers, charged, moves, ended, suspend, resume };
}

const head = () => ({ earlier: [], conversationBytes: 0, quotaSlot: 0, bytes: 0, checksum: 0 });

/** While it is suspended, no operation resolves. */
function suspendable(store: Store) {
  let gate: Promise<void> = Promise.resolve();
  let open = (): void => {};
  const waiting =
    <Arguments extends unknown[], Result>(call: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      await gate;
      return call(...args);
    };
  return {
    store: {
      ...store,
      find: waiting(store.find),
      get: waiting(store.get),
      set: waiting(store.set),
      setIfOurs: waiting(store.setIfOurs),
      queue: waiting(store.queue),
      present: waiting(store.present),
      delete: waiting(store.delete),
      publish: waiting(store.publish),
    } satisfies Store,
    suspend() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    resume: () => open(),
  };
}

interface Answering {
  answers: MadeAnswer[];
  charged: string[];
  stored: Set<string>;
}

const sse = (type: string, members: object): Buffer =>
  Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 99, ...members })}\n\n`);

function answering(id: string, { answers, charged, stored }: Answering): ExchangeHandler {
  return async (exchange) => {
    const { stream } = JSON.parse(Buffer.from(await exchange.body.bytes()).toString());
    const begun = Promise.withResolvers<void>();
    const pieces: (Buffer | Error | undefined)[] = [];
    let wake = (): void => {};
    const push = (piece: Buffer | Error | undefined): void => {
      pieces.push(piece);
      wake();
    };
    exchange.signal.addEventListener('abort', () => {
      begun.reject(exchange.signal.reason);
      push(exchange.signal.reason as Error);
    });
    const response = { id, object: 'response', status: 'completed', output: [], store: true };
    const whole = Promise.withResolvers<Buffer>();
    whole.promise.catch(() => {});
    answers.push({
      id,
      signal: exchange.signal,
      async call() {
        await exchange.confirm?.();
        begun.resolve();
      },
      say: (type, members = {}) => push(sse(type, members)),
      async complete() {
        stored.add(id);
        await charge(exchange, () => charged.push(id));
        whole.resolve(Buffer.from(JSON.stringify(response)));
        push(sse('response.completed', { response }));
        push(undefined);
      },
      end: () => push(undefined),
      refuse: (error) => void (begun.reject(error), whole.reject(error)),
    });
    await begun.promise;
    const head: ResponseHead = { status: 200, headers: { 'content-type': 'application/json' } };
    if (!stream) return { head, body: await Promise.race([whole.promise, aborted(exchange)]) };
    async function* body(): AsyncGenerator<Uint8Array> {
      for (;;) {
        while (pieces.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        const piece = pieces.shift();
        if (piece === undefined) return;
        if (piece instanceof Error) throw piece;
        yield piece;
      }
    }
    return { head: { status: 200, headers: { 'content-type': 'text/event-stream' } }, body: body() };
  };
}

async function charge({ mayRecord }: IncomingExchange, onCharged: () => void): Promise<void> {
  if ((await mayRecord?.(true)) !== false) onCharged();
}

const aborted = ({ signal }: IncomingExchange): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

const waiting = { interval: 5 };

export async function answerOf(replica: RunReplica, at = 0): Promise<MadeAnswer> {
  await expect.poll(() => replica.answers.length, waiting).toBeGreaterThan(at);
  return replica.answers[at]!;
}

/** Begins a run whose provider is called. */
export async function begun(run: NewRun, on: RunReplica): Promise<{ run: FoundRun; answer: MadeAnswer }> {
  const at = on.answers.length;
  const beginning = on.background.begin(run);
  const answer = await answerOf(on, at);
  await answer.call();
  return { run: (await beginning) as FoundRun, answer };
}

/** All events of a run after one, as the documents that clients get. */
export async function eventsOf(events: AsyncIterable<readonly LoggedEvent[]>): Promise<Record<string, unknown>[]> {
  const documents: Record<string, unknown>[] = [];
  for await (const some of events) documents.push(...some.map(({ json }) => JSON.parse(json)));
  return documents;
}
