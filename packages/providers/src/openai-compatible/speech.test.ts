import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { chatProviders } from '../chat-providers.ts';
import type { SpeechCall } from '../spec/speech-call.ts';

function formatOf(id: string) {
  const format = chatProviders.find((provider) => provider.id === id)?.speech;
  if (format === undefined) throw new Error(`${id} has no speech.`);
  return format;
}

const call: SpeechCall = { input: 'Hi', voice: 'alloy', response_format: 'mp3', stream_format: 'audio' };
const offer = (modelName = 'gpt-4o-mini-tts') => offerOf('any', { modelName });

test.each(['openai', 'azure', 'groq', 'together'])('sends the request of %s, always with the format', (id) => {
  const { path, body } = formatOf(id).request(call, offer('m'));
  const sent = { model: 'm', input: 'Hi', voice: 'alloy', response_format: 'mp3' };
  expect([path, JSON.parse(body)]).toEqual(['/audio/speech', sent]);
});

test('sends everything that OpenAI accepts', () => {
  const all: SpeechCall = { ...call, voice: { id: 'v' }, instructions: 'Softly', speed: 2, stream_format: 'sse' };
  expect(JSON.parse(formatOf('openai').request(all, offer('m')).body)).toEqual({ model: 'm', ...all });
});

test.each<[string, string, Partial<SpeechCall>, string | undefined]>([
  ['openai', 'gpt-4o-mini-tts', { instructions: 'Softly', stream_format: 'sse', response_format: 'opus' }, undefined],
  ['openai', 'tts-1', { instructions: 'Softly' }, 'instructions'],
  ['openai', 'tts-1-hd', { stream_format: 'sse' }, 'stream_format'],
  ['openai', 'tts-1', { speed: 2 }, undefined],
  ['groq', 'm', { speed: 2, response_format: 'wav' }, undefined],
  ['groq', 'm', { response_format: 'opus' }, 'response_format'],
  ['groq', 'm', { voice: { id: 'v' } }, 'voice.id'],
  ['together', 'm', { speed: 2 }, 'speed'],
  ['together', 'm', { stream_format: 'sse' }, 'stream_format'],
  ['together', 'm', { instructions: 'Softly' }, 'instructions'],
])('%s, %s: the unsupported member of %j is %s', (id, model, changes, member) => {
  expect(formatOf(id).unsupported({ ...call, ...changes }, offer(model))).toBe(member);
});

test('reads the usage of the last event', () => {
  const { ending } = formatOf('openai');
  const usage = { input_tokens: 3, output_tokens: 40, total_tokens: 43 };
  expect(ending({ type: 'speech.audio.done', usage })).toEqual({ tokens: { input: 3, output: 40 } });
  expect(ending({ type: 'speech.audio.done' })).toEqual({});
  expect(ending({ type: 'speech.audio.delta', audio: '' })).toBe(undefined);
});
