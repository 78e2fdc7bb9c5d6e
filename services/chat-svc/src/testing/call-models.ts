import type { Model } from '@tallyport/contracts';
import { offerOf } from '@tallyport/contracts/testing';
import { sandboxProviders } from '@tallyport/simulator';
import { sharedModelEntry } from './chat-bench.ts';

const [a = '', b = '', c = ''] = sandboxProviders.map(({ id }) => id);

export const callProviders = [a, b, c] as const;

export const callModel = (id: string, modality: string, offers: Model['offers']): Model =>
  sharedModelEntry({ id, aliases: [], outputModalities: [modality], offers });

export const callOffer = (provider: string, modelName: string, prompt = '0.001'): Model['offers'][number] =>
  offerOf(provider, { modelName, pricing: { prompt }, contextLength: 100 });

const kinds = {
  embeddings: 'sandbox-embedding',
  moderations: 'sandbox-moderation',
  rankings: 'sandbox-rerank',
  decisions: 'sandbox-decision',
  speech: 'sandbox-speech',
  transcriptions: 'sandbox-transcription',
  image: 'sandbox-image',
};

/** Of each kind one model at the first provider, and a dearer one at the second: `embeddings-a` and `embeddings-b`. */
export const pairsOfCalls: readonly Model[] = Object.entries(kinds).flatMap(([kind, name]) => [
  callModel(`${kind}-a`, kind, [callOffer(a, name)]),
  callModel(`${kind}-b`, kind, [callOffer(b, name, '0.01')]),
]);

/** A recording to be transcribed, with these fields. */
export function formOf(fields: readonly (readonly [string, string])[]): FormData {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(8_000).fill(7)], 'a.mp3', { type: 'audio/mpeg' }));
  for (const [name, value] of fields) form.append(name, value);
  return form;
}
