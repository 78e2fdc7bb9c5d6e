import { randomBytes } from 'node:crypto';
import { GatewayError, toGatewayError } from '@tallyport/contracts';
import { memberValue } from '@tallyport/wire';
import type { ByteLimit, MemoryBudget, MemoryReservation } from '../../http/memory-budget.ts';
import type { Tracker } from '../../track.ts';
import type { SocketSession } from '../client-socket.ts';
import { closeTexts, type Ending } from '../closings.ts';
import type { OpenedSocket, SocketProtocol } from '../socket-route.ts';
import { type CreateEvent, readClientEvent } from './client-event.ts';
import { createLanes } from './lanes.ts';
import { type CreateOptions, serveCreate } from './serve-create.ts';
import { errorEvent } from './server-event.ts';
import { type KnownResponses, steerFailed } from './steering.ts';

interface ResponsesSocketOptions extends CreateOptions, Pick<Tracker, 'trackMessage'> {
  route: string;
  /** The method of the same request without a socket. */
  method: string;
  memory: MemoryBudget;
  largest: ByteLimit;
  nextId(): string;
}

/** OpenAI's clients may have so many lanes and requests on one socket here. */
const laneBounds = { lanes: 16, work: 64 };
/** The lane of requests that name none. */
const unnamedLane = '';
/** Ids of responses that are remembered for steering. */
const mostKnown = 64;

/** Responses over a socket: each `response.create` is one request, in its lane. */
export const responsesProtocol = (options: ResponsesSocketOptions): SocketProtocol => ({
  open: (opened) => new ResponsesSession(opened, options),
});

class ResponsesSession implements SocketSession {
  readonly #opened: OpenedSocket;
  readonly #options: ResponsesSocketOptions;
  readonly #lanes = createLanes(laneBounds);
  readonly #known: KnownResponses = new Map();
  readonly #socketId = randomBytes(16).toString('hex');
  #ending: Ending | undefined;
  #requests = 0;

  constructor(opened: OpenedSocket, options: ResponsesSocketOptions) {
    this.#opened = opened;
    this.#options = options;
  }

  requests(): number {
    return this.#requests;
  }

  message(bytes: Buffer, isBinary: boolean): void {
    if (isBinary) return this.report(binary());
    const event = readClientEvent(bytes);
    if (event.type === 'wrong') return this.report(event.error, event.lane);
    if (event.type === 'response.steer') return this.#opened.socket.sendUnasked(steerFailed(event, this.#known));
    return this.#create(event);
  }

  report(error: GatewayError, lane?: string): void {
    this.#opened.socket.sendUnasked(errorEvent(error, { lane, requestId: this.#options.nextId() }));
  }

  async finish(why: Ending): Promise<void> {
    this.#ending ??= why;
    await this.#lanes.idle();
    if (this.#ending === 'age') this.#opened.socket.sendUnasked(agedEvent(undefined));
  }

  #create(event: CreateEvent): void {
    if (this.#ending !== undefined) return this.#refuseFor(this.#ending, event.lane);
    const { memory, largest } = this.#options;
    const holder = this.#opened.principal.accountId;
    let reservation: MemoryReservation | undefined;
    try {
      reservation = memory.reserve({ declaredBytes: event.body.length, holder, largest });
      const held = reservation;
      this.#lanes.add(event.lane === undefined ? unnamedLane : `of ${event.lane}`, () => this.#run(event, held));
      this.#requests += 1;
    } catch (thrown) {
      reservation?.release();
      this.report(toGatewayError(thrown), event.lane);
    }
    return undefined;
  }

  async #run(event: CreateEvent, reservation: MemoryReservation): Promise<void> {
    try {
      if (!this.#opened.socket.isOpen) return;
      // It has waited behind others of its lane, and nothing was done for it.
      if (this.#ending !== undefined) this.#refuseFor(this.#ending, event.lane);
      else await this.#serve(event);
    } finally {
      reservation.release();
    }
  }

  async #serve(event: CreateEvent): Promise<void> {
    const { socket, request, signal } = this.#opened;
    const { route, method } = this.#options;
    let id: string | undefined;
    const onFirst = (first: Buffer): void => {
      id = responseIn(first);
      if (id !== undefined) remember(this.#known, id, 'running');
    };
    const served = { create: event, socket, socketId: this.#socketId, signal, onFirst };
    await this.#options.trackMessage({ route, method, request }, async (arrived) => {
      const outcome = await serveCreate(arrived, served, this.#options);
      if (outcome.error?.code === 'invalid_api_key') this.#endKey();
      return outcome;
    });
    if (id !== undefined) remember(this.#known, id, 'ended');
  }

  /** The key has ended without an announcement. Other lanes may have work. */
  #endKey(): void {
    void this.finish('key').then(() => this.#opened.socket.close('key', closeTexts.key));
  }

  #refuseFor(why: Ending, lane: string | undefined): void {
    if (why === 'age') this.#opened.socket.sendUnasked(agedEvent(lane));
    else this.report(endingErrors[why](), lane);
  }
}

function remember(known: KnownResponses, id: string, state: 'running' | 'ended'): void {
  known.delete(id);
  known.set(id, state);
  const [oldest = ''] = known.keys();
  if (known.size > mostKnown) known.delete(oldest);
}

/** The id in `response.created`. */
function responseIn(event: Buffer): string | undefined {
  const response = memberValue(event, 'response');
  const id = response && memberValue(response, 'id');
  return id?.toString().slice(1, -1);
}

/** OpenAI's clients know the code: they open another socket and send the request again. */
const agedEvent = (lane: string | undefined): Buffer => {
  const error = {
    type: 'invalid_request_error',
    code: 'websocket_connection_limit_reached',
    message: 'This socket was open for an hour, the longest time. Open another one.',
    param: null,
  };
  return Buffer.from(
    JSON.stringify({ type: 'error', ...(lane !== undefined && { stream_id: lane }), status: 400, error }),
  );
};

const endingErrors = {
  key: () => new GatewayError('invalid_api_key', 'The API key of this socket is revoked or has expired.'),
  restart: () =>
    new GatewayError('unavailable', 'This server is shutting down. Connect again, and send the request there.', {
      retryAfterMs: 1_000,
    }),
} as const satisfies Readonly<Record<Exclude<Ending, 'age'>, () => GatewayError>>;

const binary = (): GatewayError => new GatewayError('invalid_json', 'Send JSON in text messages. This one was binary.');
