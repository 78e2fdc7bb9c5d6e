import type { KindName } from './question-kinds.ts';

/** The parameters of one client request. */
export interface Question {
  mark: string;
  stream: boolean;
  /** Default: a chat with the sandbox. */
  kind?: KindName;
  /** Number of words of the answer. Default: the answer repeats the question. */
  words?: number;
  leaveAfterMs?: number;
  edge?: number;
  apiKey?: string;
}
