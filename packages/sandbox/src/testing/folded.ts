import { dataOf } from './raw-client.ts';

interface Delta {
  content?: string | null;
  reasoning_content?: string;
  tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[];
}

interface Chunk {
  choices: { index: number; delta: Delta; finish_reason: string | null }[];
  usage?: unknown;
}

interface Folded {
  choices: FoldedChoice[];
  usage: unknown;
}

interface FoldedChoice {
  content: string | null;
  reasoning: string;
  toolCalls: { id: string; name: string; arguments: string }[];
  finishReason: string | null;
}

/** Folds a stream's chunks into an answer, as any client would. */
export function folded(text: string): Folded {
  const chunks = dataOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data): Chunk => JSON.parse(data));
  const result: Folded = { choices: [], usage: undefined };
  for (const { choices, usage } of chunks) {
    if (usage) result.usage = usage;
    for (const { index, delta, finish_reason } of choices) {
      const choice = (result.choices[index] ??= { content: null, reasoning: '', toolCalls: [], finishReason: null });
      add(choice, delta);
      choice.finishReason = finish_reason ?? choice.finishReason;
    }
  }
  return result;
}

function add(choice: FoldedChoice, { content, reasoning_content = '', tool_calls = [] }: Delta): void {
  if (typeof content === 'string') choice.content = (choice.content ?? '') + content;
  choice.reasoning += reasoning_content;
  for (const { index, id, function: part } of tool_calls) {
    const call = (choice.toolCalls[index] ??= { id: id ?? '', name: part.name ?? '', arguments: '' });
    call.arguments += part.arguments;
  }
}
