import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import type { RequestHead } from '@tallyport/contracts';
import { wholeBody } from './hold-body.ts';
import type { OnceKey } from './read-key.ts';
import { numberedEvents } from './numbered-events.ts';
import { Recording, type RecordingOptions } from './recording.ts';
import { endsNow, ranTooLong } from './refusals.ts';
import type { ResultWriter, WriteOutcome } from './result-writer.ts';
import { storeRecording } from './store-recording.ts';

/** A request with a key in progress. It does not end when its client leaves. */
export interface OnceRun {
  readonly fingerprint: string;
  /** The API key of the first request. */
  readonly keyId: string;
  readonly answerRules: string;
  readonly project: string;
  readonly recording: Recording;
  /** Resolves when the run has ended and its answer is stored, if it can be. */
  readonly over: Promise<void>;
  /** Resolves with `false` if another replica took the key over while this one was suspended. */
  holdsKey(): Promise<boolean>;
  stop(reason: Error): void;
}

interface RunOptions extends Omit<RecordingOptions, 'onUseless'> {
  handler: ExchangeHandler;
  head: RequestHead;
  body: Uint8Array;
  /** Of the exchange that starts the run. */
  confirm: IncomingExchange['confirm'];
  clientSignal: AbortSignal;
  fingerprint: string;
  key: Pick<OnceKey, 'keyId' | 'answerRules' | 'project'>;
  /** Absent while the store is unavailable: only this replica knows of the run then. */
  result: ResultWriter | undefined;
}

/** Longer than any answer takes; a run beyond it is aborted. */
const longestMs = 30 * 60_000;

export function startOnceRun(options: RunOptions): OnceRun {
  const { fingerprint, handler, head, body, clientSignal, result } = options;
  const { keyId, answerRules, project } = options.key;
  const controller = new AbortController();
  const recording = new Recording({ ...options, onUseless: () => stop(endsNow()) });
  const stop = (reason: Error): void => {
    if (controller.signal.aborted) return;
    controller.abort(reason);
    // It must not wait for a reader, who may have left.
    recording.firstReaderLeaves();
  };
  const deadline = setTimeout(() => stop(ranTooLong()), longestMs).unref();
  const confirm = options.confirm && { confirm: options.confirm };
  const over = handler({ head, body: wholeBody(body), signal: controller.signal, clientSignal, ...confirm })
    .then((answer) => record(answer, recording, result))
    .catch(async (thrown: unknown) => {
      recording.end(thrown);
      // An answer that was too large to keep has still been paid for.
      await (recording.kept ? result?.release() : result?.unkept());
    })
    .finally(() => {
      clearTimeout(deadline);
      recording.forget();
    });
  const holdsKey = async (): Promise<boolean> => (await result?.holdsLease()) ?? true;
  return { fingerprint, keyId, answerRules, project, recording, over, holdsKey, stop };
}

/** Records the whole answer. Throws if it breaks off. */
async function record(answer: ExchangeAnswer, recording: Recording, result: ResultWriter | undefined): Promise<void> {
  const head = withLength(answer);
  recording.begin(head, answer.events !== undefined);
  // Only successful answers are stored; a refusal applies to the moment.
  const fit = head.status < 400;
  const writing = result && fit ? storeRecording(recording, result, { head, opaque: answer.opaque }) : undefined;
  try {
    for await (const piece of piecesOf(answer)) await recording.push(piece);
    recording.end();
  } finally {
    writing?.stop();
  }
  if (result === undefined) return;
  if (!recording.kept) return result.unkept();
  // An answer that started well may still have ended with an error.
  if (writing === undefined || answer.failed?.() === true) return result.release();
  await endings[await writing.rest()](result);
}

/** An answer that is paid for and may not be kept is not made again. */
const endings: Record<WriteOutcome, (result: ResultWriter) => Promise<void>> = {
  stored: (result) => result.finish(),
  over_quota: (result) => result.unkept(),
  unsure: (result) => result.release(),
};

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

function withLength({ head, body }: ExchangeAnswer): ExchangeAnswer['head'] {
  if (!(body instanceof Uint8Array) || head.headers['content-length']) return head;
  return { ...head, headers: { ...head.headers, 'content-length': String(body.length) } };
}

async function* piecesOf({ body, events }: ExchangeAnswer): AsyncGenerator<Buffer> {
  if (events !== undefined) yield* numberedEvents(events());
  else for await (const bytes of body instanceof Uint8Array ? [body] : body) yield asBuffer(bytes);
}
