import { z } from 'zod';
import type { DescribedOperation } from '../operation.ts';
import { fallback, noFallback, once, servedHeaders, serving } from './serving.ts';

const json = 'application/json';
const multipart = 'multipart/form-data';
const [idempotencyKey] = once;

const request = z.strictObject({
  model: z.string(),
  input: z.string().min(1).describe('Up to 4,096 characters.'),
  voice: z.union([z.string(), z.strictObject({ id: z.string() })]).describe("The vendor's name of a voice, or its id."),
  instructions: z.string().optional().describe('How to speak, for models that take instructions.'),
  response_format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']).optional().describe('Default: `mp3`.'),
  speed: z.number().min(0.25).max(4).optional(),
  stream_format: z.enum(['audio', 'sse']).optional().describe('`sse`: events with base64, the last one with usage.'),
});

const bytes = z.string().describe('The bytes of the file, as they arrive from the provider.');
const audio = Object.fromEntries(
  ['mpeg', 'opus', 'aac', 'flac', 'wav', 'pcm'].map((type) => [`audio/${type}`, { schema: bytes }]),
);

const file = z.string().meta({ format: 'binary' }).describe('The audio, with a file name.');
const format = z.enum(['json', 'text', 'srt', 'vtt', 'verbose_json', 'diarized_json']).optional();

const transcription = z.strictObject({
  file,
  model: z.string(),
  language: z.string().optional().describe('Of the audio, as in ISO 639-1.'),
  prompt: z.string().optional(),
  response_format: format.describe('Default: `json`. Not every model has every format.'),
  temperature: z.number().optional(),
  stream: z.boolean().optional().describe('Sends events, for models that can.'),
  'timestamp_granularities[]': z.array(z.enum(['word', 'segment'])).optional(),
  'include[]': z.array(z.string()).optional(),
  chunking_strategy: z.string().optional(),
  'languages[]': z.array(z.string()).optional(),
  'keywords[]': z.array(z.string()).optional(),
  'known_speaker_names[]': z.array(z.string()).optional(),
  'known_speaker_references[]': z.array(z.string()).optional(),
});

const translation = z.strictObject({
  file,
  model: z.string(),
  prompt: z.string().optional().describe('In English.'),
  response_format: format,
  temperature: z.number().optional(),
});

const transcript = {
  200: {
    description: "The vendor's transcript in the requested format.",
    headers: servedHeaders,
    content: {
      [json]: { schema: z.looseObject({ text: z.string() }) },
      'text/plain': { schema: z.string() },
      'text/event-stream': { schema: z.string() },
    },
  },
};

const formRules = `The form has at most \`MAX_BODY_BYTES\`. Its file is passed on unchanged, and so is every field that the model accepts;
others are refused by name. Requests count towards the limits of chats.`;

const example = { model: 'sandbox-speech', input: 'The trains are sorted by night.', voice: 'alloy' };

export const audioOperations: readonly DescribedOperation[] = [
  {
    id: 'createSpeech',
    method: 'POST',
    path: '/v1/audio/speech',
    tag: 'Audio',
    summary: "Reads a text aloud, in the format of OpenAI's speech API.",
    description: `The provider's bytes are passed on as they arrive; if it breaks off, so does the response. Failover uses only providers of
the same model, before the first bytes. Requests count towards the limits of chats.`,
    access: 'key',
    parameters: [fallback, noFallback, ...(idempotencyKey ? [idempotencyKey] : [])],
    body: { [json]: { schema: request, examples: { plain: { summary: 'A sentence', value: example } } } },
    answers: {
      200: {
        description: 'The audio, or events.',
        headers: servedHeaders,
        content: { ...audio, 'text/event-stream': { schema: z.string() } },
      },
    },
    failures: serving,
  },
  {
    id: 'createTranscription',
    method: 'POST',
    path: '/v1/audio/transcriptions',
    tag: 'Audio',
    summary: "Writes audio down, in the format of OpenAI's transcription API.",
    description: formRules,
    access: 'key',
    parameters: [fallback, noFallback, ...(idempotencyKey ? [idempotencyKey] : [])],
    body: { [multipart]: { schema: transcription } },
    answers: transcript,
    failures: serving,
  },
  {
    id: 'createTranslation',
    method: 'POST',
    path: '/v1/audio/translations',
    tag: 'Audio',
    summary: "Writes audio down in English, in the format of OpenAI's translation API.",
    description: formRules,
    access: 'key',
    parameters: [fallback, noFallback, ...(idempotencyKey ? [idempotencyKey] : [])],
    body: { [multipart]: { schema: translation } },
    answers: transcript,
    failures: serving,
  },
];
