import { checkedRequest, speechRequest } from '@tallyport/endpoints';
import { estimateTextTokens } from '@tallyport/pricing';
import type { SpeechCall } from '@tallyport/providers';
import type { PromptFacts } from '@tallyport/serving';

/** Checks a request. Throws `invalid_parameters` with the path of the member. */
export function asSpeechRequest(value: unknown): { model: string; call: SpeechCall } {
  const request = checkedRequest(speechRequest, value);
  const { model, input, voice, instructions, speed, response_format: format, stream_format: streamed } = request;
  const call = {
    input,
    voice,
    ...(typeof instructions === 'string' && { instructions }),
    response_format: format ?? 'mp3',
    ...(typeof speed === 'number' && { speed }),
    stream_format: streamed ?? 'audio',
  };
  return { model, call };
}

export const speechFacts = ({ input }: SpeechCall): PromptFacts => ({
  tokens: () => estimateTextTokens(input.length),
  modalities: () => ['text'],
  beginning: () => input,
});
