/** As OpenAI counts: cached tokens are part of the prompt's tokens, reasoning tokens of the completion's. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: {
    cached_tokens?: number;
    /** Ours: the part of `cached_tokens` that is audio. `audio_tokens` has the rest of it. */
    cached_audio_tokens?: number;
    cache_write_tokens?: number;
    /** Parts of `cache_write_tokens`, by how long they are kept. */
    cache_write_tokens_details?: CacheWriteTokens;
    audio_tokens?: number;
    text_tokens?: number;
    image_tokens?: number;
    /** Ours: what the vendor read to summarize the conversation. */
    compaction_tokens?: number;
    /** Ours: results of the vendor's own tools. */
    tool_prompt_tokens?: number;
  };
  completion_tokens_details?: {
    reasoning_tokens?: number;
    audio_tokens?: number;
    accepted_prediction_tokens?: number;
    rejected_prediction_tokens?: number;
    text_tokens?: number;
    image_tokens?: number;
    /** Ours: the summary of the conversation. */
    compaction_tokens?: number;
  };
  /** Ours: how often the vendor's own tools ran. */
  server_tool_use?: ServerToolUse;
  /** Ours: tokens of other models that took part, which the counts above do not include. */
  other_models?: readonly OtherModelUsage[];
  /** Ours: how often the model ran for the answer, if more than once. Its prompt was read each time. */
  iterations?: number;
  /** Ours: where the model ran, if the vendor says so. It may have a price. */
  inference_geo?: string;
  /** Ours: names of counts that the vendor reports and this version does not know. */
  unknown_classes?: readonly string[];
  /** Ours: what a reranker bills in place of tokens. */
  search_units?: number;
  /** Ours: the service tier in which the vendor billed the answer; absent for the standard one. Clients do not get it. */
  service_tier?: string;
  /** Ours: the cost of the answer in USD. */
  cost?: number;
}

export interface CacheWriteTokens {
  ttl_5m_tokens?: number;
  ttl_30m_tokens?: number;
  ttl_1h_tokens?: number;
  ttl_12h_tokens?: number;
}

export interface ServerToolUse {
  web_search_requests?: number;
  web_fetch_requests?: number;
  code_interpreter_sessions?: number;
  file_search_calls?: number;
  grounding_search_requests?: number;
  grounding_maps_requests?: number;
  grounding_image_requests?: number;
}

export interface OtherModelUsage {
  for: 'advisor' | 'image_generation';
  /** The vendor's name; absent if it does not say. */
  model?: string;
  usage: Usage;
}
