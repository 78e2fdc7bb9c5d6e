import { offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { chatProviders } from '../chat-providers.ts';
import type { TranscriptionCall } from '../spec/transcription-call.ts';

function formatOf(id: string) {
  const format = chatProviders.find((provider) => provider.id === id)?.transcriptions;
  if (format === undefined) throw new Error(`${id} has no transcriptions.`);
  return format;
}

const field = (name: string, value = 'x') => ({ name, content: Buffer.from(value) });
const call: TranscriptionCall = {
  task: 'transcribe',
  file: { name: 'file', fileName: 'a.wav', type: 'audio/wav', content: Buffer.from('RIFF') },
  fields: [],
  boundary: 'b',
  format: 'json',
  stream: false,
};
const offer = (modelName: string) => offerOf('any', { modelName });
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

test('sends the file itself, with the model and the format', () => {
  const request = formatOf('openai').request({ ...call, boundary: 'a b', format: 'text' }, offer('m'));
  expect([request.path, request.headers['content-type']]).toEqual([
    '/audio/transcriptions',
    'multipart/form-data; boundary="a b"',
  ]);
  expect(request.body.includes(call.file.content)).toBe(true);
  expect(Buffer.concat([...request.body]).toString()).toBe(
    [
      '--a b\r\nContent-Disposition: form-data; name="model"\r\n\r\nm',
      '--a b\r\nContent-Disposition: form-data; name="response_format"\r\n\r\njson',
      '--a b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\nRIFF',
      '--a b--\r\n',
    ].join('\r\n'),
  );
});

test.each<[string, string, Partial<TranscriptionCall>, string | undefined]>([
  ['openai', 'whisper-1', { format: 'srt' }, undefined],
  ['openai', 'whisper-1', { task: 'translate', format: 'vtt' }, undefined],
  ['openai', 'whisper-1', { fields: [field('stream')] }, 'stream'],
  ['openai', 'gpt-4o-transcribe', { format: 'srt' }, 'response_format'],
  ['openai', 'gpt-4o-transcribe', { format: 'text', fields: [field('stream')] }, undefined],
  ['openai', 'gpt-4o-transcribe', { task: 'translate' }, 'model'],
  ['openai', 'gpt-4o-transcribe-diarize', { format: 'diarized_json' }, undefined],
  ['openai', 'gpt-4o-transcribe-diarize', { fields: [field('prompt')] }, 'prompt'],
  ['groq', 'whisper-large-v3', { task: 'translate', format: 'text' }, undefined],
  ['groq', 'whisper-large-v3', { format: 'srt' }, 'response_format'],
  ['together', 'm', { fields: [field('language')] }, 'language'],
])('%s, %s: the unsupported member of %o is %s', (id, model, changes, member) => {
  expect(formatOf(id).unsupported({ ...call, ...changes }, offer(model))).toBe(member);
});

const tokens = { type: 'tokens', input_tokens: 12, output_tokens: 5, input_token_details: { audio_tokens: 10 } };

test.each<[TranscriptionCall['format'], unknown, object]>([
  ['json', { text: 'a', usage: { type: 'duration', seconds: 7 } }, { seconds: 7 }],
  ['json', { text: 'a', usage: tokens }, { tokens: { input: 2, audio: 10, output: 5 } }],
  ['json', { text: 'a' }, {}],
  ['verbose_json', { text: 'a', duration: 2.5 }, { seconds: 2.5 }],
  ['verbose_json', { text: 'a', duration: '2.5' }, { seconds: 2.5 }],
  ['srt', '1\n00:00:00,000 --> 01:02:03,500\na\n', { seconds: 3_723.5 }],
  ['vtt', 'WEBVTT\n\n00:00.000 --> 00:04.250\na\n\n00:05.000 --> 02:06.250\nb\n', { seconds: 126.25 }],
  ['srt', '', {}],
])('reads what the answer in %s says of its length: %j', (format, body, ending) => {
  expect(formatOf('openai').response(bytes(body), { ...call, format })).toEqual({ body: bytes(body), ...ending });
});

test('returns the text of JSON for plain text', () => {
  const { body } = formatOf('openai').response(bytes({ text: 'Hello.' }), { ...call, format: 'text' });
  expect(Buffer.from(body).toString()).toBe('Hello.\n');
});

test.each([
  ['json', '', 'cannot be read'],
  ['text', { usage: {} }, 'cannot be read'],
  ['json', { error: { message: 'Broken inside.' } }, 'Broken inside.'],
  ['srt', { error: { message: 'Broken inside.' } }, 'Broken inside.'],
] as const)('an answer in %s of %j is a fault of the provider', (format, body, message) => {
  expect(() => formatOf('openai').response(bytes(body), { ...call, format })).toThrow(message);
});
