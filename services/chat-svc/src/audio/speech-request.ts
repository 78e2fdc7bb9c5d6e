import { GatewayError } from '@tallyport/contracts';
import { type SpeechCall, speechFormats } from '@tallyport/providers';
import { firstIssue, problemOf } from '@tallyport/wire';
import { z } from 'zod';

/** OpenAI's limit. */
export const mostCharacters = 4_096;

const words = z.string('must be text');
const speed = 'must be a number from 0.25 to 4';

/** Unknown members are refused: dropping one could change the voice without notice. */
const requestSchema = z.strictObject({
  model: words.min(1, 'must not be empty'),
  input: words
    .min(1, 'must not be empty')
    .refine((text) => [...text].length <= mostCharacters, `must have at most ${mostCharacters} characters; split it`),
  voice: z.union([words.min(1), z.strictObject({ id: words.min(1) })], 'must be a name, or an object with an `id`'),
  instructions: words.nullish(),
  response_format: z.enum(speechFormats, `must be one of ${speechFormats.join(', ')}`).nullish(),
  speed: z.number(speed).min(0.25, speed).max(4, speed).nullish(),
  stream_format: z.enum(['audio', 'sse'], 'must be `audio` or `sse`').nullish(),
});

/** Checks a request. Throws `invalid_parameters` with the path of the member. */
export function asSpeechRequest(value: unknown): { model: string; call: SpeechCall } {
  const { success, data, error } = requestSchema.safeParse(value, firstIssue);
  if (!success) {
    const { param, message } = problemOf(error);
    throw new GatewayError('invalid_parameters', message, param === null ? {} : { param });
  }
  const { model, input, voice, instructions, speed: pace, response_format: format, stream_format: streamed } = data;
  const call = {
    input,
    voice,
    ...(typeof instructions === 'string' && { instructions }),
    response_format: format ?? 'mp3',
    ...(typeof pace === 'number' && { speed: pace }),
    stream_format: streamed ?? 'audio',
  };
  return { model, call };
}
