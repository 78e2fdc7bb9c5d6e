import type { Offer } from '@switchyard/contracts';
import type { ChatRequest, GeminiGenerationConfig } from '@switchyard/wire';
import { finiteNumber } from '../read.ts';
import { imageOutputOf } from './image-config.ts';
import type { GeminiRules } from './models.ts';
import { toOpenApiSchema } from './schema.ts';
import { geminiThinking } from './thinking.ts';

const MOST_STOPS = 5;

export function toGenerationConfig(request: ChatRequest, rules: GeminiRules, offer: Offer): GeminiGenerationConfig {
  const thinking = geminiThinking(request, rules);
  return {
    ...samplingOf(request),
    ...limitsOf(request, offer),
    ...logprobsOf(request),
    ...formatOf(request, rules),
    ...(thinking && { thinkingConfig: thinking }),
    ...(rules.images && imageOutputOf(request, rules.images)),
  };
}

/** Hints with their names here; nulls say nothing. */
const names = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
} as const;

function samplingOf(request: ChatRequest): GeminiGenerationConfig {
  const told = Object.entries(names).map(([name, theirs]) => [theirs, finiteNumber(request[name])]);
  return Object.fromEntries(told.filter(([, value]) => value !== undefined));
}

function limitsOf(
  { max_completion_tokens, max_tokens, stop }: ChatRequest,
  { maxOutput }: Offer,
): GeminiGenerationConfig {
  const most = max_completion_tokens ?? max_tokens;
  const stops = [stop ?? []].flat().filter((sequence) => sequence !== '');
  return {
    ...(most != null && { maxOutputTokens: Math.min(most, maxOutput ?? most) }),
    // More are refused; the first ones are worth more than none.
    ...(stops.length > 0 && { stopSequences: stops.slice(0, MOST_STOPS) }),
  };
}

const logprobsOf = ({ logprobs, top_logprobs: top }: ChatRequest): GeminiGenerationConfig =>
  logprobs === true ? { responseLogprobs: true, ...(top != null && { logprobs: top }) } : {};

function formatOf({ response_format: format }: ChatRequest, { jsonSchemas }: GeminiRules): GeminiGenerationConfig {
  if (!format || format.type === 'text') return {};
  const json = { responseMimeType: 'application/json' } as const;
  const schema = format.type === 'json_schema' ? format.json_schema.schema : undefined;
  if (!schema) return json;
  return { ...json, ...(jsonSchemas ? { responseJsonSchema: schema } : { responseSchema: toOpenApiSchema(schema) }) };
}
