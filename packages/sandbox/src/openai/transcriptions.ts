import { dataEvent, jsonReply, piece, type Reply, streamReply } from '../answer.ts';
import type { ArrivedRequest, RouteAnswer } from '../route.ts';
import { type ApiError, invalidRequest, openAiErrorReply } from './errors.ts';
import type { OpenAiProvider } from './provider.ts';
import { type TranscriptionForm, transcriptionForm } from './transcription-form.ts';

/** Answers transcriptions and translations. */
export const createTranscriptions =
  ({ refuseTranscription }: Pick<OpenAiProvider, 'refuseTranscription'>) =>
  (request: ArrivedRequest): RouteAnswer => {
    const form = transcriptionForm(request);
    const refusal = refuseTranscription(form) ?? findTranscriptionFault(form);
    const { model = '' } = form.fields;
    return { model, answer: refusal ? openAiErrorReply(refusal) : transcriptReply(form, 'usage') };
  };

/** The rules of OpenAI. */
export function findTranscriptionFault({ file, fields }: TranscriptionForm): ApiError | undefined {
  if (file.length === 0) return invalidRequest('Field required: file.', 'file');
  const { response_format: format = 'json', temperature = '0' } = fields;
  if (writers[format] === undefined) return invalidRequest('Unknown response_format.', 'response_format');
  return Number(temperature) >= 0 && Number(temperature) <= 1
    ? undefined
    : invalidRequest('Temperature should be between 0 and 1.', 'temperature');
}

interface SimulatedTranscript {
  readonly task: string;
  readonly text: string;
  readonly seconds: number;
  /** Absent for vendors that report none. */
  readonly usage: object | undefined;
}

/** `counts`: whether the answer has usage. Models with a price per token count tokens. */
export function transcriptReply({ task, file, fields }: TranscriptionForm, counts: 'usage' | 'nothing'): Reply {
  const seconds = secondsOf(file);
  const text = `A simulated transcript of ${file.length} bytes.`;
  const usage = counts === 'nothing' ? undefined : usageOf(fields.model ?? '', seconds);
  const script = { task: task === 'translate' ? 'translate' : 'transcribe', text, seconds, usage };
  if (fields.stream === 'true') return streamed(script);
  const { response_format: format = 'json' } = fields;
  const written = writers[format]?.(script) ?? '';
  if (typeof written !== 'string') return jsonReply(200, written);
  return { ...jsonReply(200, null), headers: { 'content-type': 'text/plain' }, pieces: [piece('body', written)] };
}

function usageOf(model: string, seconds: number): object {
  if (!model.startsWith('gpt-')) return { type: 'duration', seconds: Math.ceil(seconds) };
  const [audio, output] = [Math.ceil(seconds * 10), 8];
  const details = { text_tokens: 2, audio_tokens: audio };
  return {
    type: 'tokens',
    input_tokens: audio + 2,
    input_token_details: details,
    output_tokens: output,
    total_tokens: audio + 2 + output,
  };
}

const writers: Readonly<Record<string, (script: SimulatedTranscript) => object | string>> = {
  json: ({ text, usage }) => ({ text, ...(usage && { usage }) }),
  text: ({ text }) => `${text}\n`,
  verbose_json: ({ task, text, seconds, usage }) => ({
    task,
    language: 'english',
    duration: seconds,
    text,
    segments: [{ id: 0, seek: 0, start: 0, end: seconds, text, tokens: [], temperature: 0, avg_logprob: -0.1 }],
    ...(usage && { usage }),
  }),
  srt: ({ text, seconds }) => `1\n00:00:00,000 --> ${timeOf(seconds)}\n${text}\n\n`,
  vtt: ({ text, seconds }) => `WEBVTT\n\n00:00.000 --> ${timeOf(seconds).slice(3).replace(',', '.')}\n${text}\n\n`,
};

/** Hours, minutes, seconds and thousandths, as in SRT. */
const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 23).replace('.', ',');

function streamed({ text, usage }: SimulatedTranscript): Reply {
  const deltas = text.split(/(?= )/).map((delta) => dataEvent('delta', { type: 'transcript.text.delta', delta }));
  const done = dataEvent('usage', { type: 'transcript.text.done', text, ...(usage && { usage }) });
  return streamReply([...deltas, done], { kind: 'turns' });
}

/** A WAV file names its bytes per second; other files count as 64 kbit/s. */
function secondsOf(file: Buffer): number {
  const isWav = file.length >= 44 && file.toString('latin1', 0, 4) === 'RIFF';
  return isWav ? (file.length - 44) / file.readUInt32LE(28) : file.length / 8_000;
}
