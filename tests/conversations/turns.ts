/** A call of a tool, with its arguments as JSON text, because numbers in them may be larger than JavaScript's. */
export interface Call {
  id: string;
  name: string;
  input: string;
}

export type Step =
  | { role: 'user'; text: string }
  | { role: 'model'; calls: readonly Call[] }
  /** One result for each call of the step before. */
  | { role: 'results'; calls: readonly Call[]; texts: readonly string[] };

/** What a client sends: the conversation so far and the names of its tools. */
export interface Question {
  model: string;
  steps: readonly Step[];
  tools: readonly string[];
  stream: boolean;
}

/** A text or a call of an answer, in the order in which the API has them. */
export type Part = { text: string } | { call: Call };
