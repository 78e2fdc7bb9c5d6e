import { type AudioOutcome, modelLabel } from '@tallyport/dispatch';
import type { Kit } from '@tallyport/service-kit';
import { type EndpointEvents, type RequestEvents, requestEvents } from '@tallyport/serving';

/** Metrics and logs of speech, transcriptions or translations. Each event is counted and logged once. */
export function audioEvents(
  kit: Pick<Kit, 'log' | 'metrics' | 'tracing'>,
  operation: EndpointEvents<AudioOutcome>['operation'],
): RequestEvents<AudioOutcome> {
  const labels = { provider: 'any', model: 'model' } as const;
  const characters = kit.metrics.counter({
    name: 'gateway_speech_characters_total',
    help: 'Characters of text read aloud.',
    labels,
  });
  const seconds = kit.metrics.counter({
    name: 'gateway_transcribed_seconds_total',
    help: 'Seconds of audio written down.',
    labels,
  });
  const refused = kit.metrics.counter({
    name: 'gateway_audio_refused_total',
    help: 'Requests for speech, transcriptions and translations refused before a provider was called.',
    labels: { code: 'any' },
  });
  return requestEvents<AudioOutcome>(kit, {
    operation,
    messages: { answered: `${operation} made`, failed: `${operation} failed`, refused: `${operation} refused` },
    outcomeFields: ({ use }) => ({
      characters: use?.characters || undefined,
      audioSeconds: use?.audioSeconds || undefined,
      usageEstimated: use?.estimated || undefined,
    }),
    onEnded({ plan }, { served, use }) {
      if (served === undefined || use === undefined) return;
      const offer = { provider: served.providerId, model: modelLabel(plan.model) };
      if (use.characters > 0) characters.with(offer).increment(use.characters);
      if (use.audioSeconds > 0) seconds.with(offer).increment(use.audioSeconds);
    },
    onRefused: ({ code }) => refused.with({ code }).increment(),
  });
}
