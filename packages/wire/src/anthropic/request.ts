/** Anthropic's Messages request: the members that we send. */
export interface MessagesRequest {
  model: string;
  max_tokens: number;
  messages: MessagesTurn[];
  system?: MessagesText[];
  stop_sequences?: string[];
  stream?: boolean;
  temperature?: number;
  top_p?: number;
  top_k?: number;
  tools?: (MessagesTool | MessagesWebSearch)[];
  tool_choice?: MessagesToolChoice;
  thinking?: MessagesThinking;
  output_config?: MessagesOutputConfig;
  metadata?: { user_id: string };
  service_tier?: 'auto' | 'standard_only';
  speed?: 'fast';
}

export interface MessagesTurn {
  role: 'user' | 'assistant';
  content: MessagesBlock[];
}

/** Marks the end of a prefix that the vendor may cache for the next request. */
export interface MessagesCacheControl {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
}

export interface MessagesText {
  type: 'text';
  text: string;
  cache_control?: MessagesCacheControl;
}

export interface MessagesImage {
  type: 'image';
  source:
    | { type: 'base64'; media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; data: string }
    | { type: 'url'; url: string };
  cache_control?: MessagesCacheControl;
}

export interface MessagesDocument {
  type: 'document';
  source:
    | { type: 'base64'; media_type: 'application/pdf'; data: string }
    | { type: 'text'; media_type: 'text/plain'; data: string }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string };
  title?: string;
  cache_control?: MessagesCacheControl;
}

interface MessagesToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: Readonly<Record<string, unknown>>;
}

interface MessagesToolResult {
  type: 'tool_result';
  tool_use_id: string;
  /** Absent when the tool returned nothing, because empty texts are refused. */
  content?: MessagesText[];
  /** For the result as a whole. Its texts cannot have one. */
  cache_control?: MessagesCacheControl;
}

/** Must be sent back unchanged, with its signature. */
export type MessagesThought =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

export type MessagesBlock =
  | MessagesText
  | MessagesImage
  | MessagesDocument
  | MessagesToolUse
  | MessagesToolResult
  | MessagesThought;

export interface MessagesTool {
  name: string;
  description?: string;
  input_schema: { type: 'object'; [member: string]: unknown };
  strict?: boolean;
  cache_control?: MessagesCacheControl;
}

/** Run by the vendor itself. */
export interface MessagesWebSearch {
  type: 'web_search_20250305';
  name: 'web_search';
  user_location?: { type: 'approximate'; city?: string; country?: string; region?: string; timezone?: string };
}

export type MessagesToolChoice =
  | { type: 'auto' | 'any'; disable_parallel_tool_use?: boolean }
  | { type: 'tool'; name: string; disable_parallel_tool_use?: boolean }
  | { type: 'none' };

export type MessagesThinking =
  | { type: 'enabled'; budget_tokens: number }
  | { type: 'adaptive'; display: 'summarized' }
  | { type: 'disabled' };

export type MessagesEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface MessagesOutputConfig {
  effort?: MessagesEffort;
  format?: { type: 'json_schema'; schema: Record<string, unknown> };
}
