/** The parameters of one client request. */
export interface Question {
  mark: string;
  stream: boolean;
  /** Number of words of the answer. Default: the answer repeats the question. */
  words?: number;
  leaveAfterMs?: number;
  edge?: number;
  apiKey?: string;
}
