import { GatewayError, toGatewayError } from '@tallyport/contracts';

/** The result of trying to reserve money. `busy`: it may succeed once running requests have ended. */
export type GrantResult<Granted> =
  | { kind: 'granted'; granted: Granted }
  | { kind: 'busy'; error: GatewayError }
  | { kind: 'refused'; error: GatewayError };

interface GrantRequest<Granted> {
  /** The name of its budget; requests for one budget wait in one queue. */
  name: string;
  amount: number;
  waitMs: number;
  /** Aborts when the caller leaves. */
  signal: AbortSignal | undefined;
  tryGrant(): Promise<GrantResult<Granted>>;
  /** Returns a grant whose caller has left. */
  giveBack(granted: Granted): void;
}

/** Queues of requests that wait for money which running requests have reserved. */
export interface WaitingQueues<Granted> {
  /** Resolves as soon as it is granted or refused, or after `waitMs` with the last refusal. */
  request(request: GrantRequest<Granted>): Promise<Granted | GatewayError>;
  /** Call when money of this budget was released. */
  wake(name: string): void;
}

interface WaitingQueuesOptions {
  /** The maximum number of requests that wait for one budget; further ones are refused at once. */
  maxWaiting: number;
  /** How often to retry: money released on other replicas is noticed with this delay. */
  retryEveryMs: number;
}

/**
 * First come, first served, except that a request may overtake larger ones. Once an amount was refused, no waiting
 * request for as much or more is tried in the same round.
 */
export function createWaitingQueues<Granted>(options: WaitingQueuesOptions): WaitingQueues<Granted> {
  const queues = new Map<string, Queue<Granted>>();

  return {
    async request(request) {
      const { name, amount, waitMs } = request;
      const queue = queues.get(name);
      const mustQueue = queue !== undefined && queue.waiting.values().some((each) => each.request.amount <= amount);
      if (!mustQueue || waitMs === 0) {
        const first = await request.tryGrant();
        if (first.kind === 'granted') return first.granted;
        if (first.kind === 'refused' || waitMs === 0) return first.error;
      }
      if ((queues.get(name)?.waiting.size ?? 0) >= options.maxWaiting) return tooManyWaiting();
      return joinQueue(queues, request, options.retryEveryMs);
    },
    wake: (name) => void serve(queues.get(name)),
  };
}

interface Waiter<Granted> {
  request: GrantRequest<Granted>;
  /** Ends the wait; returns `false` if it had ended before. */
  end(result: Granted | GatewayError): boolean;
}

interface Queue<Granted> {
  /** In order of arrival. */
  waiting: Set<Waiter<Granted>>;
  isServing: boolean;
  /** Woken again while a round was in progress. */
  again: boolean;
  retryTimer: NodeJS.Timeout;
}

function joinQueue<Granted>(
  queues: Map<string, Queue<Granted>>,
  request: GrantRequest<Granted>,
  retryEveryMs: number,
): Promise<Granted | GatewayError> {
  const { name, signal, waitMs } = request;
  const queue = queues.get(name) ?? openQueue<Granted>(retryEveryMs);
  queues.set(name, queue);
  return new Promise((resolve) => {
    const leave = (): void => void waiter.end(callerLeft());
    const waiter: Waiter<Granted> = {
      request,
      end(result) {
        if (!queue.waiting.delete(waiter)) return false;
        clearTimeout(deadline);
        signal?.removeEventListener('abort', leave);
        if (queue.waiting.size === 0) {
          clearInterval(queue.retryTimer);
          queues.delete(name);
        }
        resolve(result);
        return true;
      },
    };
    const deadline = setTimeout(() => void tryGrant(waiter).then(({ error }) => error && waiter.end(error)), waitMs);
    queue.waiting.add(waiter);
    signal?.addEventListener('abort', leave);
    if (signal?.aborted === true) leave();
    else void serve(queue);
  });
}

function openQueue<Granted>(retryEveryMs: number): Queue<Granted> {
  const queue: Queue<Granted> = {
    waiting: new Set(),
    isServing: false,
    again: false,
    retryTimer: setInterval(() => void serve(queue), retryEveryMs),
  };
  return queue;
}

async function serve<Granted>(queue: Queue<Granted> | undefined): Promise<void> {
  if (queue === undefined) return;
  queue.again = true;
  if (queue.isServing) return;
  queue.isServing = true;
  while (queue.again) {
    queue.again = false;
    await serveOnce(queue);
  }
  queue.isServing = false;
}

async function serveOnce<Granted>(queue: Queue<Granted>): Promise<void> {
  let refused = Number.POSITIVE_INFINITY;
  for (const waiter of queue.waiting) {
    if (waiter.request.amount >= refused) continue;
    const { kind, error } = await tryGrant(waiter);
    if (kind === 'busy') refused = waiter.request.amount;
    if (kind === 'refused') waiter.end(error);
  }
}

/** Tries once, and ends the wait if it is granted. */
async function tryGrant<Granted>({ request, end }: Waiter<Granted>): Promise<TryResult> {
  try {
    const result = await request.tryGrant();
    if (result.kind !== 'granted') return result;
    if (!end(result.granted)) request.giveBack(result.granted);
    return { kind: 'granted', error: undefined };
  } catch (thrown) {
    return { kind: 'refused', error: toGatewayError(thrown) };
  }
}

type TryResult = { kind: 'granted'; error: undefined } | { kind: 'busy' | 'refused'; error: GatewayError };

const tooManyWaiting = (): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    'Too many requests are waiting for this budget. Try again in a moment, or lower `max_tokens`.',
    { retryAfterMs: 1_000 },
  );

const callerLeft = (): GatewayError => new GatewayError('client_closed_request', 'The client closed the connection.');
