import type { MemberNames } from '../client-words.ts';

/** What Google's API calls the members of a chat. */
export const geminiMemberNames: MemberNames = {
  frequency_penalty: ['generationConfig.frequencyPenalty'],
  image_config: ['generationConfig.imageConfig'],
  logprobs: ['generationConfig.responseLogprobs'],
  max_completion_tokens: ['generationConfig.maxOutputTokens'],
  messages: ['contents'],
  modalities: ['generationConfig.responseModalities'],
  n: ['generationConfig.candidateCount'],
  presence_penalty: ['generationConfig.presencePenalty'],
  reasoning_effort: ['generationConfig.thinkingConfig'],
  response_format: [
    'generationConfig.responseJsonSchema',
    'generationConfig.responseSchema',
    'generationConfig.responseMimeType',
  ],
  seed: ['generationConfig.seed'],
  service_tier: ['serviceTier'],
  stop: ['generationConfig.stopSequences'],
  temperature: ['generationConfig.temperature'],
  tool_choice: ['toolConfig.functionCallingConfig'],
  top_k: ['generationConfig.topK'],
  top_logprobs: ['generationConfig.logprobs'],
  top_p: ['generationConfig.topP'],
};

/** What it calls the members of a request for embeddings. */
export const geminiEmbeddingNames: MemberNames = {
  dimensions: ['outputDimensionality'],
  input: ['content', 'requests'],
  input_type: ['taskType'],
};
