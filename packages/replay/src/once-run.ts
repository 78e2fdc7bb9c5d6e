import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@switchyard/bus';
import type { RequestHead } from '@switchyard/contracts';
import { eventNumbering, isLastEvent } from './numbered-events.ts';
import { Recording, type RecordingOptions } from './recording.ts';
import { endsNow, ranTooLong } from './refusals.ts';
import type { ResultWriter } from './stored-results.ts';
import { writeDown } from './write-down.ts';

/** A request with a key while it is worked on. It does not end with its client. */
export interface OnceRun {
  readonly fingerprint: string;
  readonly recording: Recording;
  /** It is over, and whatever can be kept of it is. */
  readonly over: Promise<void>;
  stop(reason: Error): void;
}

export interface RunOptions extends Omit<RecordingOptions, 'onUseless'> {
  handler: ExchangeHandler;
  head: RequestHead;
  body: Uint8Array;
  fingerprint: string;
  /** Absent while the store is away: then only this replica knows of it. */
  result: ResultWriter | undefined;
}

/** More than any answer takes: what is not over then never will be. */
const longestMs = 30 * 60_000;

export function startOnceRun(options: RunOptions): OnceRun {
  const { fingerprint, handler, head, body, result } = options;
  const controller = new AbortController();
  const stop = (reason: Error): void => controller.abort(reason);
  const recording = new Recording({ ...options, onUseless: () => stop(endsNow()) });
  const deadline = setTimeout(() => stop(ranTooLong()), longestMs).unref();
  const over = handler({ head, body: wholeBody(body), signal: controller.signal })
    .then((answer) => record(answer, recording, result))
    .catch(async (thrown: unknown) => {
      recording.end(thrown);
      // What was too large to be kept was paid for all the same.
      await (recording.kept ? result?.release() : result?.unkept());
    })
    .finally(() => {
      clearTimeout(deadline);
      recording.forget();
    });
  return { fingerprint, recording, over, stop };
}

const wholeBody = (body: Uint8Array): IncomingExchange['body'] => ({
  async *[Symbol.asyncIterator]() {
    yield body;
  },
  bytes: () => Promise.resolve(body),
  cancel: () => {},
});

/** Takes the whole answer down. Throws when it broke off. */
async function record(answer: ExchangeAnswer, recording: Recording, result: ResultWriter | undefined): Promise<void> {
  const stream = answer.head.headers['content-type']?.startsWith('text/event-stream') === true;
  const head = stream ? answer.head : withLength(answer);
  recording.begin(head, stream);
  // Refusals are for now; only an answer is for good.
  const fit = head.status < 400;
  const writing = result && fit ? writeDown(recording, result, { head, stream }) : undefined;
  try {
    await takeDown(answer.body, recording, stream);
    recording.end();
  } finally {
    writing?.stop();
  }
  if (result === undefined) return;
  if (!recording.kept) return result.unkept();
  const written = writing !== undefined && isWhole(recording, stream) && (await writing.rest());
  await (written ? result.finish() : result.release());
}

/** What began well may still have ended with an error in its last words. */
function isWhole({ pieces }: Recording, stream: boolean): boolean {
  if (stream) return isLastEvent(pieces.at(-1));
  return !pieces.some((piece) => piece.subarray(0, errorBeginning.length).equals(errorBeginning));
}

const errorBeginning = Buffer.from('{"error":');

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

function withLength({ head, body }: ExchangeAnswer): ExchangeAnswer['head'] {
  if (!(body instanceof Uint8Array) || head.headers['content-length']) return head;
  return { ...head, headers: { ...head.headers, 'content-length': String(body.length) } };
}

async function takeDown(body: ExchangeAnswer['body'], recording: Recording, stream: boolean): Promise<void> {
  const numbered = eventNumbering();
  for await (const bytes of body instanceof Uint8Array ? [body] : body) {
    for (const piece of stream ? numbered(bytes) : [asBuffer(bytes)]) await recording.push(piece);
  }
}
