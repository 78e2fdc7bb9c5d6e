import { type ApiError, type JsonObject, openAiUnknownModel } from '@tallyport/sandbox';
import { unknownMember } from '../refusals.ts';
import { unknownParameter } from './value-checks.ts';

const known = ['model', 'input', 'voice', 'instructions', 'response_format', 'speed', 'stream_format'];

/** Refuses unknown members, models that do not speak, and what `tts-1` lacks, as OpenAI does. */
export function findUnknownSpeechMember(body: JsonObject): ApiError | undefined {
  const model = String(body.model);
  const plain = model.startsWith('tts-1') ? ['instructions', 'stream_format'] : [];
  const unknown = unknownMember(
    body,
    known.filter((name) => !plain.includes(name)),
  );
  if (unknown !== undefined) return unknownParameter(unknown);
  return /tts/.test(model) ? undefined : openAiUnknownModel(model);
}
