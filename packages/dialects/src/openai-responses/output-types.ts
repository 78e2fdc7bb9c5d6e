export type ResponsesItemStatus = 'in_progress' | 'completed' | 'incomplete';

export interface OutputCitation {
  type: 'url_citation';
  url: string;
  title: string;
  start_index: number;
  end_index: number;
}

export interface OutputLogprob {
  token: string;
  bytes: number[];
  logprob: number;
  top_logprobs: { token: string; bytes: number[]; logprob: number }[];
}

export interface OutputText {
  type: 'output_text';
  text: string;
  annotations: OutputCitation[];
  logprobs: OutputLogprob[];
}

interface OutputRefusal {
  type: 'refusal';
  refusal: string;
}

export type OutputPart = OutputText | OutputRefusal;

interface OutputMessage {
  type: 'message';
  id: string;
  status: ResponsesItemStatus;
  role: 'assistant';
  content: OutputPart[];
}

interface OutputReasoning {
  type: 'reasoning';
  id: string;
  status: ResponsesItemStatus;
  summary: { type: 'summary_text'; text: string }[];
  encrypted_content?: string;
}

interface OutputFunctionCall {
  type: 'function_call';
  id: string;
  status: ResponsesItemStatus;
  call_id: string;
  name: string;
  namespace?: string;
  arguments: string;
}

export interface OutputCustomCall {
  type: 'custom_tool_call';
  id: string;
  status: ResponsesItemStatus;
  call_id: string;
  name: string;
  namespace?: string;
  input: string;
}

interface OutputToolSearch {
  type: 'tool_search_call';
  id: string;
  status: ResponsesItemStatus;
  call_id: string;
  execution: 'client';
  arguments: unknown;
}

export interface OutputImage {
  type: 'image_generation_call';
  id: string;
  status: 'in_progress' | 'completed';
  result: string | null;
  output_format?: 'png' | 'webp' | 'jpeg' | 'gif' | 'svg';
}

/** Stands for the conversation before it. */
interface OutputCompaction {
  type: 'compaction';
  id: string;
  encrypted_content: string;
}

export type ResponsesOutputItem =
  | OutputMessage
  | OutputReasoning
  | OutputFunctionCall
  | OutputCustomCall
  | OutputToolSearch
  | OutputImage
  | OutputCompaction;

export interface ResponsesUsage {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
  /** Ours, as in a chat: in USD. */
  cost?: number;
}
