/** As OpenAI counts: cached tokens are part of the prompt's tokens, reasoning tokens of the completion's. */
export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  prompt_tokens_details?: {
    cached_tokens?: number;
    cache_write_tokens?: number;
    audio_tokens?: number;
    text_tokens?: number;
    image_tokens?: number;
  };
  completion_tokens_details?: {
    reasoning_tokens?: number;
    audio_tokens?: number;
    accepted_prediction_tokens?: number;
    rejected_prediction_tokens?: number;
    text_tokens?: number;
    image_tokens?: number;
  };
  /** Ours: the cost of the answer in USD. */
  cost?: number;
}
