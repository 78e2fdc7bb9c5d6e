import type { ThoughtBlock } from './thoughts.ts';

/** An answer of the Messages API, with every member that its clients read. */
export interface MessagesAnswer {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: AnswerBlock[];
  stop_reason: StopReason | null;
  stop_sequence: string | null;
  stop_details: StopDetails | null;
  container: null;
  diagnostics: null;
  usage: MessagesUsage;
}

export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal';

/** Why the model did not answer. */
export interface StopDetails {
  type: 'refusal';
  category: null;
  explanation: string | null;
}

/** A source that has an address. What it says, and where, the gateway does not know. */
export interface AnswerCitation {
  type: 'web_search_result_location';
  cited_text: string;
  encrypted_index: string;
  title: string | null;
  url: string;
}

interface AnsweredText {
  type: 'text';
  text: string;
  /** Absent if there are none: some clients do not accept null. */
  citations?: AnswerCitation[];
}

export interface AnswerToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  caller: { type: 'direct' };
}

export type AnswerBlock = AnsweredText | AnswerToolUse | ThoughtBlock;

export interface MessagesUsage {
  input_tokens: number;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  /** How long each written token is kept, which the gateway does not know. */
  cache_creation: null;
  output_tokens: number;
  output_tokens_details: { thinking_tokens: number } | null;
  server_tool_use: null;
  service_tier: 'standard' | 'priority' | null;
  inference_geo: null;
  speed: null;
}

/** What the last events of a stream say of the usage: totals, never differences. */
export interface MessagesDeltaUsage {
  input_tokens: number | null;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  output_tokens: number;
  output_tokens_details: { thinking_tokens: number } | null;
  server_tool_use: null;
}

export type BlockDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'input_json_delta'; partial_json: string }
  | { type: 'thinking_delta'; thinking: string }
  | { type: 'signature_delta'; signature: string }
  | { type: 'citations_delta'; citation: AnswerCitation };

export type BlockEvent =
  | { type: 'content_block_start'; index: number; content_block: AnswerBlock }
  | { type: 'content_block_delta'; index: number; delta: BlockDelta }
  | { type: 'content_block_stop'; index: number };

export interface AnswerEnd {
  stop_reason: StopReason;
  stop_sequence: string | null;
  stop_details: StopDetails | null;
  container: null;
}

/** Every event of a stream, apart from pings and errors. */
export type MessagesEvent =
  | { type: 'message_start'; message: MessagesAnswer }
  | BlockEvent
  | { type: 'message_delta'; delta: AnswerEnd; usage: MessagesDeltaUsage }
  | { type: 'message_stop' };
