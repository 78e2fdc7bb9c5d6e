import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EmbeddingCall, embeddingCalls, type EmbeddingsFormat } from '@tallyport/providers';
import { type DocumentWithVectors, type KeptVector, VectorReader, WireError } from '@tallyport/wire';
import { UpstreamFailure, readAllPieces } from '@tallyport/outbound';
import { openRequest, stopAttempt } from '../attempts/open-request.ts';
import { stopAfterTotal } from '../attempts/total-timer.ts';
import type { CallAttempt } from '../calls/open-calls.ts';
import { toVectorTexts, type VectorText } from './vector.ts';

type EmbeddingAttempt = CallAttempt<EmbeddingCall, EmbeddingsFormat>;

export interface AttemptedEmbeddings {
  /** One for each input, in order. */
  vectors: readonly VectorText[];
  /** Absent unless the vendor counted every call. */
  promptTokens: number | undefined;
}

/** Calls of one request at once: enough to hide their latency, without a burst at the vendor's rate limit. */
const mostAtOnce = 4;
/** Yields to the event loop after this many bytes. */
const stepBytes = 256 * 1024;

/** Embeds all inputs at one provider, in as many calls as its limits require. */
export async function attemptEmbeddings(attempt: EmbeddingAttempt): Promise<AttemptedEmbeddings> {
  const calls = embeddingCalls(attempt.wanted, attempt.format.limits(attempt.offer));
  const atOnce = Math.min(calls.length, mostAtOnce);
  const detour = calls.length === 1 ? attempt.detour : undefined;
  const parts = calls.map((wanted) => ({ ...partOf(attempt, wanted, atOnce), detour }));
  const stopAll = (failure: UpstreamFailure): void => {
    for (const part of parts) stopAttempt(part, failure);
  };
  attempt.call = { abort: stopAll, discardRest: () => undefined };
  const timer = stopAfterTotal(attempt);
  try {
    if (attempt.stopped !== undefined) throw attempt.stopped;
    return joined(await callAll(attempt, parts, stopAll));
  } finally {
    clearTimeout(timer);
  }
}

/** Concurrent calls share the limit on the size of an answer. */
const partOf = (attempt: EmbeddingAttempt, wanted: EmbeddingCall, atOnce: number): EmbeddingAttempt => ({
  ...attempt,
  equipment: { ...attempt.equipment, maxResponseBytes: Math.ceil(attempt.equipment.maxResponseBytes / atOnce) },
  wanted,
  call: undefined,
});

/** The first failure stops the other calls and is thrown once all of them have ended. */
async function callAll(
  attempt: EmbeddingAttempt,
  parts: readonly EmbeddingAttempt[],
  stopAll: (failure: UpstreamFailure) => void,
): Promise<AttemptedEmbeddings[]> {
  const results: AttemptedEmbeddings[] = [];
  const waiting = parts.entries();
  let failure: { thrown: unknown; status: number | null } | undefined;
  const lane = async (): Promise<void> => {
    for (const [at, part] of waiting) {
      if (failure !== undefined) return;
      try {
        results[at] = await callOnce(part);
        attempt.status = part.status;
      } catch (thrown) {
        failure ??= { thrown, status: part.status };
        stopAll(new UpstreamFailure('left', 'was left'));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(parts.length, mostAtOnce) }, lane));
  if (failure === undefined) return results;
  attempt.status = failure.status;
  throw failure.thrown;
}

async function callOnce(part: EmbeddingAttempt): Promise<AttemptedEmbeddings> {
  const { format, wanted, offer, equipment } = part;
  const build = () => format.request(wanted, offer);
  const { head, body } = await openRequest(part, build, equipment.timeouts.plainFirstByteMs);
  const document = await readDocument(await readAllPieces(body));
  const { vectors, promptTokens } = format.response(document.value, wanted, head.headers);
  const scale = wanted.isUnscaled !== true && format.unscaled?.(wanted, offer) === true;
  const kept = vectors.map((vector) => keptVector(vector, document));
  return { vectors: await toVectorTexts(kept, { encoding: wanted.encoding, scale }), promptTokens };
}

async function readDocument(pieces: readonly Buffer[]): Promise<DocumentWithVectors> {
  const reader = new VectorReader();
  let bytes = 0;
  for (const piece of pieces) {
    reader.push(piece);
    bytes += piece.length;
    if (bytes < stepBytes) continue;
    bytes = 0;
    await nextTurn();
  }
  return reader.end();
}

/** Vectors of a few numbers in base64 are short strings, which the reader parsed. */
function keptVector(vector: string | number, { vectors }: DocumentWithVectors): KeptVector {
  const kept =
    typeof vector === 'number' ? vectors[vector] : { kind: 'text' as const, slices: [Buffer.from(vector, 'latin1')] };
  if (kept === undefined) throw new WireError('frame_corrupt', 'A vector is a number.');
  return kept;
}

function joined(results: readonly AttemptedEmbeddings[]): AttemptedEmbeddings {
  let promptTokens: number | undefined = 0;
  for (const { promptTokens: counted } of results) {
    promptTokens = counted === undefined || promptTokens === undefined ? undefined : promptTokens + counted;
  }
  return { vectors: results.flatMap(({ vectors }) => vectors), promptTokens };
}
