import type { Usage } from '@tallyport/wire';

/** An answer of the legacy API, and each piece of a streamed one. */
export interface TextCompletion {
  id: string;
  object: 'text_completion';
  created: number;
  model: string;
  choices: TextChoice[];
  usage?: Usage | null;
}

export interface TextChoice {
  index: number;
  text: string;
  logprobs: null;
  /** Null until the text is complete. */
  finish_reason: 'stop' | 'length' | 'content_filter' | null;
}
