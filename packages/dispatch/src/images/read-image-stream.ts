import { randomUUID } from 'node:crypto';
import { GatewayError } from '@tallyport/contracts';
import type { ImageCall, ImageEvent } from '@tallyport/providers';
import {
  createSseDecoder,
  type Frame,
  type LongStrings,
  type ParsedDocument,
  parseKeepingLongStrings,
} from '@tallyport/wire';
import { UpstreamFailure } from '@tallyport/outbound';
import { stopAttempt } from '../attempts/open-request.ts';
import type { OpenedResponse } from '../attempts/opened-response.ts';
import { SilenceWatch } from '../attempts/silence-watch.ts';
import { ShownResult } from '../failure/shown-result.ts';
import type { AttemptedImages, ImageAttempt } from './image-attempt.ts';
import { collectImages, longStringBytes } from './made-images.ts';
import { type ImageCallResult, someOf } from './some-of.ts';

/** How long to wait for the end of the body after the last image, to reuse the connection. */
const releaseGraceMs = 1_000;

interface ImageStream {
  attempt: ImageAttempt;
  opened: OpenedResponse;
  signal: AbortSignal;
}

/**
 * Reads a stream of images and reports the partial ones. Succeeds with the images that are complete when it ends. Once a
 * partial image was reported, a failure is final.
 */
export async function readImageStream(call: ImageCall, stream: ImageStream): Promise<AttemptedImages> {
  const { attempt, opened, signal } = stream;
  const results: ImageCallResult[] = [];
  const mostPartials = (call.partialImages ?? 0) * call.n;
  let shown = 0;
  try {
    for await (const { event, strings } of eventsOf(call, stream)) {
      // More than was asked for would be memory without a bound.
      if (event.kind === 'partial' && shown >= mostPartials) continue;
      const images = await collectImages({ made: event.made, strings }, attempt, signal);
      if (event.kind === 'partial') {
        reportPartial(event.index, images, attempt);
        shown += 1;
      } else results.push({ status: 'fulfilled', value: images });
      if (results.length === call.n) break;
    }
    if (results.length < call.n) throw endedEarly(attempt);
    opened.call.discardRest(releaseGraceMs);
  } catch (thrown) {
    signal.throwIfAborted();
    opened.call.abort(new UpstreamFailure('left', 'failed'));
    results.push({ status: 'rejected', reason: shown > 0 ? new ShownResult(thrown) : thrown });
  }
  return someOf(results, attempt);
}

interface ReadEvent {
  event: ImageEvent;
  strings: LongStrings;
}

async function* eventsOf(call: ImageCall, { attempt, opened: { body } }: ImageStream): AsyncGenerator<ReadEvent> {
  const { provider, offer, equipment } = attempt;
  const decoder = createSseDecoder({ maxFrameBytes: equipment.maxResponseBytes });
  const silence = new SilenceWatch({
    isWaiting: () => true,
    onSilence: () => stopAttempt(attempt, new UpstreamFailure('stalled', 'sent no image for too long')),
  });
  function* read(frames: readonly Frame[]): Generator<ReadEvent> {
    // One frame at a time: an error in one must not take away those before it.
    for (const frame of frames) {
      const document = parsed(frame);
      if (document === undefined) continue;
      const event = provider.event?.(document.value, { call, offer });
      if (event === undefined) continue;
      silence.heard();
      yield { event, strings: document.strings };
    }
  }
  silence.allow(equipment.timeouts.idleMs);
  try {
    while (await body.ready()) for (const chunk of body.take()) yield* read(decoder.push(chunk));
    yield* read(decoder.end());
  } finally {
    silence.stop();
  }
}

/** `undefined` for `[DONE]`, and for an event that cannot be read: if it was an image, the stream ends too early. */
function parsed({ data }: Frame): ParsedDocument | undefined {
  try {
    return parseKeepingLongStrings([data], { threshold: longStringBytes, nonce: randomUUID });
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

function reportPartial(index: number, { images, quality, background }: AttemptedImages, attempt: ImageAttempt): void {
  const [image] = images;
  if (image === undefined) return;
  attempt.onPartial?.({ index, image, ...(quality && { quality }), ...(background && { background }) });
}

const endedEarly = ({ provider }: ImageAttempt): GatewayError =>
  new GatewayError('stream_truncated', `${provider.id} ended the stream before all images were complete.`, {
    domain: 'provider',
  });
