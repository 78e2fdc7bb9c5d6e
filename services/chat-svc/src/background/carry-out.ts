import { type ExchangeAnswer, type IncomingExchange, RequestDismissed } from '@tallyport/bus';
import { type GatewayError, toGatewayError } from '@tallyport/contracts';
import { wholeBody } from '@tallyport/serving/replay';
import { createSseDecoder } from '@tallyport/wire';
import type { RunLog, LoggedEvent } from './run-log.ts';
import type { HeldRun } from './held-run.ts';
import { runsUnavailable } from './refusals.ts';
import type { RunEnd, RunEnding, RunForm } from './run-form.ts';
import type { RunRequest } from './run-request.ts';

/** How a run ended here: with an ending that is to be stored, refused before a provider was called, or not at all. */
type CarriedOut =
  | { kind: 'ended'; last: LoggedEvent; ending: RunEnding }
  | { kind: 'refused'; answer: ExchangeAnswer | GatewayError }
  | { kind: 'stopped'; reason: unknown };

interface Carrying {
  run: HeldRun;
  form: RunForm;
  request: RunRequest;
  log: RunLog;
  signal: AbortSignal;
  lifeMs: number;
  /** Called directly before a provider is called. */
  onCall(): void;
}

/** Makes the answer of a run like that of any request, and writes its events into the log. */
export async function carryOut(carrying: Carrying): Promise<CarriedOut> {
  const { run, form, request, signal } = carrying;
  try {
    const { id, createdAt } = run.record();
    const answer = await form.handler({ id, createdAt })(exchangeOf(carrying));
    signal.throwIfAborted();
    if (answer.head.status >= 400) return { kind: 'refused', answer };
    const isStream = answer.head.headers['content-type']?.startsWith('text/event-stream') === true;
    const { event: last, ending } = isStream ? await writeStream(answer, carrying) : form.whole(await bytesOf(answer));
    return { kind: 'ended', last, ending };
  } catch (thrown) {
    if (signal.aborted) return { kind: 'stopped', reason: signal.reason };
    const error = toGatewayError(thrown);
    if (!run.record().called) return { kind: 'refused', answer: error };
    const { event: last, ending } = form.stopped(request.outline, { kind: 'failed', error });
    return { kind: 'ended', last, ending };
  }
}

function exchangeOf({ run, request, signal, lifeMs, onCall }: Carrying): IncomingExchange {
  return {
    head: { ...request.head, timeoutMs: lifeMs },
    body: wholeBody(request.body),
    signal,
    async confirm() {
      const marked = await run.update({ called: true });
      if (marked === 'taken') throw new RequestDismissed();
      // Another replica could begin it as well, if this one died now.
      if (marked !== 'stored') throw runsUnavailable();
      onCall();
    },
    mayRecord: (isCharged) => run.updateCertainly(isCharged ? { charged: true } : {}),
  };
}

/** Larger than any answer that is stored. */
const maxEventBytes = 64 * 1024 * 1024;

/** Writes all events but the last. */
async function writeStream({ body }: ExchangeAnswer, carrying: Carrying): Promise<RunEnd> {
  const { form, log, request, signal } = carrying;
  const decoder = createSseDecoder({ maxFrameBytes: maxEventBytes });
  let end: RunEnd | undefined;
  const chunks = body instanceof Uint8Array ? [body] : body;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    for (const { event: type = '', data } of decoder.push(chunk)) {
      const shown = form.event({ type, json: data.toString() }, request.outline);
      if (shown === undefined) continue;
      await markShown(carrying);
      const { event, ending } = shown;
      if (ending === undefined) log.append(form.numbered(event, log.next()));
      else end ??= { event, ending };
    }
  }
  if (end === undefined) throw new TypeError('A stream of events has ended without its last event.');
  return end;
}

/** From now on no other replica may make another answer. */
async function markShown({ run }: Carrying): Promise<void> {
  if (run.record().shown) return;
  if ((await run.update({ shown: true })) === 'taken') throw new RequestDismissed();
}

async function bytesOf({ body }: ExchangeAnswer): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}
