import type { Offer } from '@tallyport/contracts';
import type { PaidAnswer, RequestLife, StreamSource } from '@tallyport/serving';
import { finishImages } from './answer/finish-images.ts';
import { completedEvents, partialEvent } from './answer/image-events.ts';
import { createPartialQueue } from './answer/partial-queue.ts';
import { finishOptions, type ImageAttemptTools, makeAndFinish } from './attempt-image-request.ts';
import type { DocumentEvent } from '@tallyport/wire';
import type { PlannedImages } from './planned-images.ts';

/** Answers with events: partial images when they arrive, if the provider sends them, and the finished ones. */
export async function streamImageRequest(
  tools: ImageAttemptTools,
  planned: PlannedImages,
  life: RequestLife,
): Promise<PaidAnswer> {
  const leaving = new AbortController();
  const steps = imageSteps(tools, planned, { ...life, signal: AbortSignal.any([life.signal, leaving.signal]) });
  // Nothing was sent before the first event, so a failure until then has a status of its own.
  const first = await steps.next();
  if (first.done) throw new TypeError('Images were made without an event.');
  const { offer, attempts } = first.value;
  const source = sourceOf(first.value, steps, () => leaving.abort());
  return { offer, attempts, content: { kind: 'stream', source, ending: () => undefined } };
}

/** One event, and the offer that it is from. */
interface ImageStep {
  event: DocumentEvent;
  offer: Offer;
  attempts: number;
}

type ImageSteps = AsyncGenerator<ImageStep, undefined>;

async function* imageSteps(tools: ImageAttemptTools, planned: PlannedImages, life: RequestLife): ImageSteps {
  const { operation, lease, request } = planned;
  const created = Math.floor(Date.now() / 1000);
  const partials = createPartialQueue();
  try {
    const answering = makeAndFinish(tools, planned, { ...life, onPartial: partials.push });
    // A failure is thrown after the partial images that arrived before it.
    answering.then(partials.end, partials.end);
    for await (const partial of partials.read()) {
      const { offer, attempts } = partial;
      const options = finishOptions(tools, { call: request.call, offer, signal: life.signal });
      const [image] = await finishImages([partial.image], options);
      if (image !== undefined) yield { event: partialEvent({ operation, created, partial, image }), offer, attempts };
    }
    const answer = await answering;
    const { offer, routing } = answer.made;
    for (const event of completedEvents(operation, answer)) yield { event, offer, attempts: routing.length };
  } finally {
    lease.release();
  }
}

function sourceOf(first: ImageStep, rest: ImageSteps, leave: () => void): StreamSource {
  let next: ImageStep | undefined = first;
  return {
    async read() {
      const step = next ?? (await rest.next()).value;
      next = undefined;
      return step && [step.event];
    },
    cancel() {
      leave();
      void rest.return(undefined);
    },
  };
}
