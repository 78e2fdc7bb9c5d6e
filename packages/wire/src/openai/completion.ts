import type {
  AnswerImage,
  AnswerMetadata,
  Annotation,
  FinishReason,
  Logprobs,
  OrderedPiece,
  ServiceTier,
} from './answer-parts.ts';
import type { Usage } from './usage.ts';

export interface FunctionToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  /** Added by a vendor, and required when the call is sent back. */
  extra_content?: Record<string, unknown>;
}

interface CustomToolCall {
  id: string;
  type: 'custom';
  custom: { name: string; input: string };
  extra_content?: Record<string, unknown>;
}

export type ToolCall = FunctionToolCall | CustomToolCall;

export interface AnswerAudio {
  id: string;
  data: string;
  expires_at: number;
  transcript: string;
}

export interface CompletionMessage {
  role: 'assistant';
  content: string | null;
  refusal: string | null;
  /** Not OpenAI's, but used by most vendors: the thinking, never part of the content. */
  reasoning_content?: string;
  /** Ours: generated images. */
  images?: AnswerImage[];
  annotations?: Annotation[];
  audio?: AnswerAudio | null;
  function_call?: { name: string; arguments: string } | null;
  tool_calls?: ToolCall[];
  /** Ours: the order of texts and calls, where the model did not write all text before all calls. */
  content_order?: OrderedPiece[];
  [member: string]: unknown;
}

export interface CompletionChoice {
  index: number;
  message: CompletionMessage;
  logprobs: Logprobs | null;
  finish_reason: FinishReason;
  [member: string]: unknown;
}

/** An answer in one piece, in the canonical form. */
export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: CompletionChoice[];
  usage?: Usage;
  service_tier?: ServiceTier | null;
  system_fingerprint?: string;
  metadata?: AnswerMetadata;
  [member: string]: unknown;
}
