export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** Ours: a generated image, as a data URL. */
export interface AnswerImage {
  type: 'image_url';
  image_url: { url: string };
  index?: number;
  /** What one vendor adds and wants back with the image. */
  extra_content?: Record<string, unknown>;
}

export interface Annotation {
  type: 'url_citation';
  url_citation: { start_index: number; end_index: number; title: string; url: string };
}

export interface TokenLogprob {
  token: string;
  logprob: number;
  bytes: number[] | null;
  top_logprobs: { token: string; logprob: number; bytes: number[] | null }[];
}

export interface Logprobs {
  content: TokenLogprob[] | null;
  refusal: TokenLogprob[] | null;
}

export type ServiceTier = 'auto' | 'default' | 'flex' | 'scale' | 'priority' | 'fast';

/** Ours: which way the request went. Rides on the completion and on the finish chunk. */
export interface AnswerMetadata {
  request_id: string;
  requested_model: string;
  requested_provider: string | null;
  used_model: string;
  used_provider: string;
  cached: boolean;
  routing: {
    provider: string;
    model: string;
    status_code: number | null;
    error_type: string;
    succeeded: boolean;
    duration_ms: number;
    /** The account's own key at the provider went with it. */
    own_key?: boolean;
  }[];
}
