import type { ChatRequest } from '@tallyport/wire';
import { toJsonSchema } from './json-schema.ts';
import type { GenerationConfigBody, ThinkingConfigBody } from './request-schema.ts';

export function toChatMembers(config: GenerationConfigBody): Partial<ChatRequest> {
  return {
    ...samplingOf(config),
    ...limitsOf(config),
    ...formatOf(config),
    ...logprobsOf(config),
    ...modalitiesOf(config),
    ...toReasoning(config.thinkingConfig ?? {}),
  };
}

function samplingOf(config: GenerationConfigBody): Partial<ChatRequest> {
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty } = config;
  return {
    ...(temperature != null && { temperature }),
    ...(topP != null && { top_p: topP }),
    // No member of OpenAI's; vendors that support it take it from here.
    ...(topK != null && { top_k: topK }),
    ...(seed != null && { seed }),
    ...(presencePenalty != null && { presence_penalty: presencePenalty }),
    ...(frequencyPenalty != null && { frequency_penalty: frequencyPenalty }),
  };
}

function limitsOf({ maxOutputTokens, stopSequences, candidateCount }: GenerationConfigBody): Partial<ChatRequest> {
  return {
    ...(maxOutputTokens != null && { max_completion_tokens: maxOutputTokens }),
    ...(stopSequences && stopSequences.length > 0 && { stop: stopSequences }),
    ...(candidateCount != null && candidateCount > 1 && { n: candidateCount }),
  };
}

/** Without `strict`: that needs schemas of a narrower kind than this API accepts. */
function formatOf(config: GenerationConfigBody): Pick<ChatRequest, 'response_format'> {
  const { responseMimeType, responseSchema, responseJsonSchema } = config;
  const schema = responseJsonSchema ?? (responseSchema && (toJsonSchema(responseSchema) as Record<string, unknown>));
  if (schema) return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
  return responseMimeType === 'application/json' ? { response_format: { type: 'json_object' } } : {};
}

const logprobsOf = ({ responseLogprobs, logprobs }: GenerationConfigBody): Partial<ChatRequest> =>
  responseLogprobs === true ? { logprobs: true, ...(logprobs != null && { top_logprobs: logprobs }) } : {};

/** Text alone is what a chat returns without the member. */
function modalitiesOf({ responseModalities }: GenerationConfigBody): Pick<ChatRequest, 'modalities'> {
  const wanted = (responseModalities ?? []).filter((modality) => modality !== 'MODALITY_UNSPECIFIED');
  return wanted.includes('IMAGE') ? { modalities: wanted.map((modality) => modality.toLowerCase()) } : {};
}

/** A budget of 0 disables thinking, one of -1 leaves it to the model. */
function toReasoning(config: ThinkingConfigBody): Pick<ChatRequest, 'reasoning'> {
  const { thinkingBudget: budget, thinkingLevel: level, includeThoughts } = config;
  if (budget === 0) return { reasoning: { effort: 'none' } };
  if (budget != null && budget > 0) return { reasoning: { max_tokens: budget } };
  if (level && level !== 'THINKING_LEVEL_UNSPECIFIED') return { reasoning: { effort: efforts[level] } };
  return includeThoughts === true ? { reasoning: { enabled: true } } : {};
}

const efforts = { MINIMAL: 'minimal', LOW: 'low', MEDIUM: 'medium', HIGH: 'high', XHIGH: 'xhigh' } as const;
