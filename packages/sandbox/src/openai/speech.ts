import { dataEvent, type Piece, type Reply, streamReply } from '../answer.ts';
import { isObject, type JsonObject, jsonOf } from '../json.ts';
import { mp3Silence, tonesOf, wavHead } from '../model/speech.ts';
import type { ArrivedRequest, RouteAnswer } from '../route.ts';
import { type ApiError, invalidRequest, openAiErrorReply } from './errors.ts';
import type { OpenAiProvider } from './provider.ts';

/** Answers requests for speech. */
export const createSpeech =
  ({ refuseSpeech }: Pick<OpenAiProvider, 'refuseSpeech'>) =>
  ({ body: bytes }: ArrivedRequest): RouteAnswer => {
    const body = jsonOf(bytes.toString());
    if (!isObject(body)) return { answer: openAiErrorReply(notJson) };
    const model = String(body.model);
    const refusal = refuseSpeech(body) ?? findSpeechFault(body);
    return { model, answer: refusal ? openAiErrorReply(refusal) : speechReply(body) };
  };

const notJson = invalidRequest('We could not parse the JSON body of your request.', null);

const mediaTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

/** A piece for each word: the bytes of the file, or events with their base64. */
export function speechReply(body: JsonObject): Reply {
  const pieces = audioOf(String(body.input), String(body.response_format ?? 'mp3'));
  if (body.stream_format === 'sse') return streamReply(eventsOf(pieces, String(body.input)), { kind: 'turns' });
  return {
    kind: 'reply',
    status: 200,
    headers: { 'content-type': mediaTypes[String(body.response_format ?? 'mp3')] ?? 'application/octet-stream' },
    stream: false,
    pieces: pieces.map((bytes) => ({ part: 'body', bytes })),
    pace: { kind: 'turns' },
    delayMs: 0,
    ending: 'end',
  };
}

/** Formats without an encoder here are answered with samples under their label. */
function audioOf(text: string, format: string): Buffer[] {
  if (format === 'mp3') return mp3Silence(text);
  const tones = tonesOf(text);
  const bytes = tones.reduce((sum, { length }) => sum + length, 0);
  return format === 'wav' ? [wavHead(bytes), ...tones] : tones;
}

function eventsOf(pieces: readonly Buffer[], text: string): Piece[] {
  const input = Math.ceil(text.length / 4);
  const output = pieces.length * 5;
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
  const deltas = pieces.map((bytes) =>
    dataEvent('delta', { type: 'speech.audio.delta', audio: bytes.toString('base64') }),
  );
  return [...deltas, dataEvent('usage', { type: 'speech.audio.done', usage })];
}

/** The rules of OpenAI. */
export function findSpeechFault(body: JsonObject): ApiError | undefined {
  const broken = rules.find(({ name, allows }) => !allows(body[name]));
  return broken && invalidRequest(broken.message, broken.name);
}

const rules: readonly { name: string; message: string; allows(value: unknown): boolean }[] = [
  {
    name: 'input',
    message: 'String should have 1 to 4096 characters.',
    allows: (input) => typeof input === 'string' && input !== '' && [...input].length <= 4_096,
  },
  {
    name: 'voice',
    message: 'Field required.',
    allows: (voice) => typeof voice === 'string' || (isObject(voice) && typeof voice.id === 'string'),
  },
  {
    name: 'response_format',
    message: 'Unknown format.',
    allows: (format = 'mp3') => mediaTypes[String(format)] !== undefined,
  },
  {
    name: 'speed',
    message: 'Speed should be between 0.25 and 4.',
    allows: (speed = 1) => typeof speed === 'number' && speed >= 0.25 && speed <= 4,
  },
  {
    name: 'stream_format',
    message: 'Unknown format.',
    allows: (format = 'audio') => format === 'audio' || format === 'sse',
  },
];
