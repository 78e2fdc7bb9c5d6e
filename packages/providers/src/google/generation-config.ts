import type { Offer } from '@tallyport/contracts';
import type { ChatRequest, GeminiGenerationConfig } from '@tallyport/wire';
import { finiteNumber } from '../read.ts';
import { imageOutputOf } from './image-config.ts';
import type { GeminiRules } from './models.ts';
import { currentSchema, subsetSchema } from './schema-dialects.ts';
import { geminiThinking } from './thinking.ts';

export function toGenerationConfig(request: ChatRequest, rules: GeminiRules, offer: Offer): GeminiGenerationConfig {
  const thinking = geminiThinking(request, rules);
  return {
    ...samplingOf(request, rules),
    ...limitsOf(request, offer),
    ...logprobsOf(request),
    ...formatOf(request, rules),
    ...(thinking && { thinkingConfig: thinking }),
    ...(rules.images && imageOutputOf(request, rules.images)),
  };
}

/** The vendor's names of sampling hints; nulls are ignored. */
const names = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
} as const;

function samplingOf(request: ChatRequest, { penalties }: GeminiRules): GeminiGenerationConfig {
  const known = Object.entries(names).filter(([name]) => penalties || !name.endsWith('_penalty'));
  const hints = known.map(([name, theirs]) => [theirs, finiteNumber(request[name])]);
  return Object.fromEntries(hints.filter(([, value]) => value !== undefined));
}

function limitsOf(
  { max_completion_tokens, max_tokens, stop }: ChatRequest,
  { maxOutput }: Offer,
): GeminiGenerationConfig {
  const most = max_completion_tokens ?? max_tokens;
  const stops = stopsIn(stop);
  return {
    ...(most != null && { maxOutputTokens: Math.min(most, maxOutput ?? most) }),
    ...(stops.length > 0 && { stopSequences: stops }),
  };
}

export const stopsIn = (stop: ChatRequest['stop']): string[] =>
  [stop ?? []].flat().filter((sequence) => sequence !== '');

const logprobsOf = ({ logprobs, top_logprobs: top }: ChatRequest): GeminiGenerationConfig =>
  logprobs === true ? { responseLogprobs: true, ...(top != null && { logprobs: top }) } : {};

function formatOf({ response_format: format }: ChatRequest, { jsonSchemas }: GeminiRules): GeminiGenerationConfig {
  if (!format || format.type === 'text') return {};
  const json = { responseMimeType: 'application/json' } as const;
  const schema = format.type === 'json_schema' ? format.json_schema.schema : undefined;
  if (!schema) return json;
  return {
    ...json,
    ...(jsonSchemas ? { responseJsonSchema: currentSchema(schema) } : { responseSchema: subsetSchema(schema) }),
  };
}
