interface Usage {
  prompt_tokens?: number;
  completion_tokens?: number;
  cost?: number;
}

export function factsOf(
  headers: Pick<Headers, 'get'>,
  measured: { usage: Usage | undefined; ms: number },
): [name: string, value: string][];

interface AnswerFigures {
  model: string;
  ms: number;
  tokens?: number | undefined;
  cost?: number | undefined;
}

export function differenceText(first: AnswerFigures, own: AnswerFigures): string;

export function embeddingsText(vectors: readonly (readonly number[])[]): string;
