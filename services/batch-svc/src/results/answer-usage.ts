import { memberValue } from '@tallyport/wire';

/** The tokens of an answer, in the sense of OpenAI's Responses API. */
interface AnswerTokens {
  input: number;
  cached: number;
  output: number;
  reasoning: number;
}

export const noAnswerTokens: AnswerTokens = { input: 0, cached: 0, output: 0, reasoning: 0 };

/** The tokens that an answer of any API names. */
export function answerTokens(answer: Buffer): AnswerTokens {
  const usage = parsed(memberValue(answer, 'usage'));
  const cached = Math.max(
    count(inside(usage, 'prompt_tokens_details', 'cached_tokens')),
    count(inside(usage, 'input_tokens_details', 'cached_tokens')),
    count(usage['cache_read_input_tokens']),
  );
  // Anthropic's count of the input has neither what was read from the cache nor what was written to it.
  const beside = count(usage['cache_read_input_tokens']) + count(usage['cache_creation_input_tokens']);
  return {
    input: count(usage['prompt_tokens'] ?? usage['input_tokens']) + beside,
    cached,
    output: count(usage['completion_tokens'] ?? usage['output_tokens']),
    reasoning: Math.max(
      count(inside(usage, 'completion_tokens_details', 'reasoning_tokens')),
      count(inside(usage, 'output_tokens_details', 'reasoning_tokens')),
    ),
  };
}

type Members = Readonly<Record<string, unknown>>;

function parsed(json: Buffer | undefined): Members {
  const value: unknown = json === undefined ? undefined : JSON.parse(json.toString());
  return isMembers(value) ? value : {};
}

function inside(usage: Members, name: string, member: string): unknown {
  const details = usage[name];
  return isMembers(details) ? details[member] : undefined;
}

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
