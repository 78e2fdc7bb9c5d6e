import type { AnswerImage, AnswerMetadata, Annotation, FinishReason, Logprobs, ServiceTier } from './answer-parts.ts';
import type { AnswerAudio } from './completion.ts';
import type { Usage } from './usage.ts';

export interface ToolCallDelta {
  index: number;
  /** Only in the first chunk of the call, like the name. */
  id?: string;
  type?: 'function' | 'custom';
  function?: { name?: string; arguments?: string };
  custom?: { name?: string; input?: string };
  /** Added by a vendor, and required when the call is sent back. */
  extra_content?: Record<string, unknown>;
}

export interface ChunkDelta {
  /** Only in the first chunk of a choice. */
  role?: 'assistant';
  content?: string | null;
  refusal?: string | null;
  reasoning_content?: string;
  images?: AnswerImage[];
  annotations?: Annotation[];
  audio?: Partial<AnswerAudio>;
  function_call?: { name?: string; arguments?: string };
  tool_calls?: ToolCallDelta[];
  [member: string]: unknown;
}

export interface ChunkChoice {
  index: number;
  delta: ChunkDelta;
  logprobs?: Logprobs | null;
  finish_reason: FinishReason | null;
  /** The stop text that ended the answer, under the name that vLLM gave it, if the vendor reports it. */
  stop_reason?: unknown;
  [member: string]: unknown;
}

/** A piece of a streamed answer, in the canonical form. */
export interface ChatChunk {
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: ChunkChoice[];
  /** Once per stream, in a last chunk without choices. */
  usage?: Usage;
  service_tier?: ServiceTier | null;
  system_fingerprint?: string;
  /** On the finish chunk. */
  metadata?: AnswerMetadata;
  [member: string]: unknown;
}
