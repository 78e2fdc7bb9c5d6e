export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** Ours: a generated image, as a data URL. */
export interface AnswerImage {
  type: 'image_url';
  image_url: { url: string };
  index?: number;
  /** Added by a vendor, and required when the image is sent back. */
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

/** Ours: how the request was routed. Part of the completion and of the finish chunk. */
export interface AnswerMetadata {
  request_id: string;
  requested_model: string;
  requested_provider: string | null;
  used_model: string;
  used_provider: string;
  /** The model is not in the catalogue, so its capabilities and prices are unknown. */
  unlisted?: true;
  cached: boolean;
  routing: {
    provider: string;
    model: string;
    status_code: number | null;
    error_type: string;
    succeeded: boolean;
    duration_ms: number;
    /** The attempt used the account's own provider key. */
    own_key?: boolean;
    /** The attempt was a trial of an offer that failed before. */
    trial?: boolean;
  }[];
  /** The offers that were not tried, and why each had its place or was left out. Absent if all were, or the cache answered. */
  not_tried?: readonly {
    /** Absent if it is true of the whole model. */
    provider?: string;
    model: string;
    reason: string;
    detail?: string;
  }[];
  /** How many more there were. */
  not_tried_more?: number;
  /** In words which providers failed before one answered; absent if none did. */
  failover?: string;
  /** Sizes per image, if a provider made another size than the requested one. */
  images?: {
    requested_size: string;
    /** Absent if the bytes do not contain the size. */
    size?: string;
    /** The size that the provider made, if the image was changed. */
    made_size?: string;
    /** The middle of it that was kept, if it had another ratio. */
    cropped_size?: string;
    /** The factor by which this was scaled, if it was. */
    scale?: number;
  }[];
}

/**
 * A piece of a message, in the order in which the model wrote it. Lengths count UTF-16 units of the message's content and
 * thinking, `details` and `annotations` entries of the message's lists, from their beginning.
 */
export type OrderedPiece =
  | { type: 'reasoning'; length: number; details: number }
  | { type: 'text'; length: number; annotations: number }
  | { type: 'tool_call'; index: number };
