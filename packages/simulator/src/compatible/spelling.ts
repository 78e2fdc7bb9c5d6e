import {
  isObject,
  type Choice,
  type ChoiceToolCall,
  splitCharacters,
  promptTokenCount,
  type TokenCounts,
} from '@tallyport/sandbox';
import type { VendorChat, Spelling, CompatibleVendor } from './vendor.ts';

/** The vendor's format: OpenAI's with the vendor's differences. */
export const spellingOf = (vendor: CompatibleVendor, asked: VendorChat): Spelling => ({
  ...plain,
  ...vendor.spell?.(asked),
});

export const compatibleUsage = (spent: TokenCounts) => ({
  prompt_tokens: promptTokenCount(spent),
  completion_tokens: spent.visible + spent.reasoning,
  total_tokens: promptTokenCount(spent) + spent.visible + spent.reasoning,
});

export const usageWithDetails = (spent: TokenCounts) => ({
  ...compatibleUsage(spent),
  prompt_tokens_details: { cached_tokens: spent.cacheRead },
  completion_tokens_details: { reasoning_tokens: spent.reasoning },
});

/** The call's name first, then its arguments in pieces. */
export const callInPieces = ({ id, name, arguments: text }: ChoiceToolCall, index: number): object[] => [
  { index, id, type: 'function', function: { name, arguments: '' } },
  ...splitCharacters(text, 8).map((part) => ({ index, function: { arguments: part } })),
];

export const wholeCall = ({ id, name, arguments: text }: ChoiceToolCall, index: number): object[] => [
  { index, id, type: 'function', function: { name, arguments: text } },
];

const finishReasonOf = ({ finishReason }: Choice) => (finishReason === 'refusal' ? 'content_filter' : finishReason);

const plain: Spelling = {
  reasoning: 'reasoning_content',
  toolId: ({ id }) => id,
  toolDeltas: callInPieces,
  finishReason: finishReasonOf,
  usage: usageWithDetails,
  tier: 'default',
  usagePlace: 'asked',
  answerMembers: {},
  choiceMembers: {},
  messageMembers: () => ({}),
  deltaMembers: {},
  lastMembers: () => ({}),
  preamble: { stream: [], whole: '' },
};

/** `{"stream_options": {"<name>": true}}`. */
export const streamOption = ({ body }: VendorChat, name: string): boolean =>
  isObject(body.stream_options) && body.stream_options[name] === true;
