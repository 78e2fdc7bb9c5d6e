import {
  type ArrivedRequest,
  contentHash,
  isObject,
  type JsonObject,
  jsonOf,
  type Metered,
  type Received,
  type VendorRoute,
} from '@tallyport/sandbox';
import { keyLabelOf } from '../bill/key-label.ts';

/** One request of a batch. */
export interface BatchLine {
  readonly customId: string;
  /** As requests of the vendor's API have it. */
  readonly path: string;
  readonly body: JsonObject;
}

export interface BatchLineResult {
  readonly customId: string;
  readonly status: number;
  readonly body: JsonObject;
  /** What it is billed at, if it has a price. */
  readonly dollars?: string | undefined;
}

/** What a batch does over time. */
interface BatchBehaviour {
  /** It ends once it was looked at this often. */
  readonly looks: number;
  /** An expired one has answered the first half of its lines, unless the vendor keeps nothing of it. */
  readonly ending: 'completed' | 'expired';
  /** The vendor has no result for such a line. */
  readonly loses: (line: BatchLine) => boolean;
  /** The vendor fails at such a line. */
  readonly fails: (line: BatchLine) => boolean;
}

export interface SimulatedBatch {
  readonly id: string;
  readonly vendor: string;
  /** Names the key that opened it: no other one sees it. */
  readonly owner: string;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly lines: readonly BatchLine[];
  /** What the vendor's format has beside it. */
  readonly given: JsonObject;
  /** Unless it completes, it answers no line. */
  readonly isAllOrNothing?: true;
  looks: number;
  state: 'running' | 'canceling' | 'ended';
  ending: BatchBehaviour['ending'] | 'cancelled' | 'failed';
  /** Once it has ended, not in the order of the lines. */
  results: readonly BatchLineResult[];
  /** The ids of those that were not answered. */
  unanswered: readonly string[];
}

/** The batches of simulated vendors. */
export interface SimulatedBatches {
  readonly opened: readonly SimulatedBatch[];
  /** Changes what batches do from now on; without members, they complete at the third look. */
  behave(behaviour?: Partial<BatchBehaviour>): void;
}

export interface BatchDesk extends SimulatedBatches {
  /** The routes that answer lines; set before the first batch. */
  routes: readonly VendorRoute[];
  open(request: ArrivedRequest, order: BatchOrder): SimulatedBatch;
  /** `undefined` if the request's key has no such batch. */
  find(request: ArrivedRequest, id: string): SimulatedBatch | undefined;
  /** The same, which brings it nearer to its end. */
  look(request: ArrivedRequest, id: string): SimulatedBatch | undefined;
  /** Looks at all of the request's key, the newest first. */
  lookAtAll(request: ArrivedRequest): readonly SimulatedBatch[];
  cancel(request: ArrivedRequest, id: string): SimulatedBatch | undefined;
}

interface BatchOrder extends Pick<SimulatedBatch, 'lines' | 'given' | 'isAllOrNothing'> {
  readonly id: string;
  /** It fails before it begins. */
  readonly fails?: boolean;
}

/** Adds an answer to the bill, and returns what it costs. */
type Bill = (received: Received) => string | undefined;

const usual: BatchBehaviour = { looks: 3, ending: 'completed', loses: () => false, fails: () => false };

/** Answers the lines of batches as the vendor's API answers single requests, and bills them in the tier `batch`. */
export function createBatchDesk(bill: Bill): BatchDesk {
  const opened: SimulatedBatch[] = [];
  const headersOf = new WeakMap<SimulatedBatch, ArrivedRequest['headers']>();
  let behaviour = usual;

  function end(batch: SimulatedBatch): void {
    const answered = batch.isAllOrNothing ? 0 : Math.ceil(batch.lines.length / 2);
    const ran = batch.ending === 'completed' ? batch.lines : batch.lines.slice(0, answered);
    const kept = ran.filter((line) => !behaviour.loses(line));
    const headers = headersOf.get(batch) ?? {};
    const from = { provider: batch.vendor, headers, routes: desk.routes, bill, fails: behaviour.fails };
    batch.results = kept.map((line) => answerLine(line, from)).toReversed();
    batch.unanswered = batch.lines.slice(ran.length).map(({ customId }) => customId);
    batch.state = 'ended';
  }

  function advance(batch: SimulatedBatch): void {
    if (batch.state === 'ended') return;
    batch.looks += 1;
    if (batch.looks >= behaviour.looks || batch.state === 'canceling') end(batch);
  }

  const ownOf = (request: ArrivedRequest): SimulatedBatch[] =>
    opened.filter(({ vendor, owner }) => vendor === request.provider && owner === keyLabelOf(request)).toReversed();
  const find = (request: ArrivedRequest, id: string): SimulatedBatch | undefined =>
    ownOf(request).find((each) => each.id === id);

  const desk: BatchDesk = {
    routes: [],
    opened,
    behave: (changed = {}) => {
      behaviour = { ...usual, ...changed };
    },
    open(request, order) {
      const createdAt = Math.floor(Date.now() / 1000);
      const given = { ...order, vendor: request.provider, owner: keyLabelOf(request), createdAt };
      const batch = newBatch(given, behaviour.ending);
      opened.push(batch);
      headersOf.set(batch, request.headers);
      return batch;
    },
    find,
    look(request, id) {
      const batch = find(request, id);
      if (batch !== undefined) advance(batch);
      return batch;
    },
    lookAtAll(request) {
      const own = ownOf(request);
      for (const batch of own) advance(batch);
      return own;
    },
    cancel(request, id) {
      const batch = find(request, id);
      if (batch !== undefined && batch.state !== 'ended')
        Object.assign(batch, { state: 'canceling', ending: 'cancelled' });
      return batch;
    },
  };
  return desk;
}

function newBatch(
  { fails, ...order }: BatchOrder & Pick<SimulatedBatch, 'createdAt' | 'owner' | 'vendor'>,
  ending: BatchBehaviour['ending'],
): SimulatedBatch {
  const begun = fails ? ({ state: 'ended', ending: 'failed' } as const) : ({ state: 'running', ending } as const);
  return { ...order, ...begun, looks: 0, results: [], unanswered: [] };
}

interface LineGround extends Pick<ArrivedRequest, 'provider' | 'headers'>, Pick<BatchBehaviour, 'fails'> {
  routes: readonly VendorRoute[];
  bill: Bill;
}

function answerLine(line: BatchLine, { provider, headers, routes, bill, fails }: LineGround): BatchLineResult {
  const { customId, path, body } = line;
  const route = routes.find((each) => each.method === 'POST' && each.path.test(path));
  if (route === undefined || body['stream'] === true || fails(line)) return { customId, ...failure };
  const request = { provider, method: 'POST', path, query: '', headers, body: Buffer.from(JSON.stringify(body)) };
  const { answer, metered, model } = route.answer(request);
  if (answer.kind !== 'reply') return { customId, ...failure };
  const written = jsonOf(Buffer.concat(answer.pieces.map(({ bytes }) => bytes)).toString());
  const isPaid = metered !== undefined && answer.status === 200;
  const dollars = isPaid ? bill(billed({ request, metered, model })) : undefined;
  return { customId, status: answer.status, body: isObject(written) ? written : {}, dollars };
}

const failure = { status: 500, body: { error: { type: 'api_error', message: 'Internal server error' } } };

interface AnsweredLine {
  request: ArrivedRequest;
  metered: Metered;
  model: string | undefined;
}

/** A line as a request that the vendor has answered, at the prices of batches. */
function billed({ request, metered, model }: AnsweredLine): Received {
  const { provider, method, path, headers, body } = request;
  const at = Date.now();
  return {
    id: `req_batch${contentHash(body).slice(0, 16)}`,
    provider,
    method,
    path,
    headers,
    receivedAt: at,
    endedAt: at,
    body: '',
    bodyBytes: body.length,
    bodyBytesSent: 0,
    model,
    metered: { ...metered, tier: 'batch' },
    status: 200,
    outcome: 'answered',
  };
}
