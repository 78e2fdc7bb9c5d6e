import {
  type PieceKind,
  type Piece,
  type Choice,
  type ChoiceToolCall,
  splitCharacters,
  splitWords,
  promptTokenCount,
  type TokenCounts,
} from '@tallyport/sandbox';
import { signThought } from '../thought-signature.ts';
import { eventFrame } from './frame.ts';

export interface BedrockAnswer {
  readonly choice: Choice;
  readonly spent: TokenCounts;
  /** Some models send the usage before the stop reason. */
  readonly usageFirst: boolean;
}

/** Cache tokens are counted separately from the input, but are part of the total. */
const usageOf = (spent: TokenCounts) => ({
  inputTokens: spent.fresh,
  outputTokens: spent.visible + spent.reasoning,
  totalTokens: promptTokenCount(spent) + spent.visible + spent.reasoning,
  cacheReadInputTokens: spent.cacheRead,
  cacheReadInputTokenCount: spent.cacheRead,
  cacheWriteInputTokens: spent.cacheWrite,
  cacheWriteInputTokenCount: spent.cacheWrite,
});

const stopReasonOf = ({ finishReason, stoppedBy }: Choice): string =>
  stoppedBy === null ? stopReasons[finishReason] : 'stop_sequence';

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  refusal: 'content_filtered',
} as const;

export const converseAnswer = ({ choice, spent }: BedrockAnswer) => ({
  output: { message: { role: 'assistant', content: contentOf(choice) } },
  stopReason: stopReasonOf(choice),
  usage: usageOf(spent),
  metrics: { latencyMs: 1 },
});

const contentOf = ({ reasoning, content, toolCalls }: Choice) => [
  ...(reasoning === ''
    ? []
    : [{ reasoningContent: { reasoningText: { text: reasoning, signature: signThought(reasoning) } } }]),
  ...(content === null || content === '' ? [] : [{ text: content }]),
  ...toolCalls.map((call) => ({
    toolUse: { toolUseId: toolIdOf(call.id), name: call.name, input: JSON.parse(call.arguments) },
  })),
];

const toolIdOf = (id: string) => id.replace(/^call_/, 'tooluse_');

export function framesOf({ choice, spent, usageFirst }: BedrockAnswer): Piece[] {
  const usage = eventFrame('usage', 'metadata', { usage: usageOf(spent), metrics: { latencyMs: 1 } });
  const stop = eventFrame('finish', 'messageStop', { stopReason: stopReasonOf(choice) });
  return [
    eventFrame('open', 'messageStart', { role: 'assistant' }),
    ...blocksOf(choice).flatMap(piecesOf),
    ...(usageFirst ? [usage, stop] : [stop, usage]),
  ];
}

interface Block {
  /** Only calls have a start event. */
  readonly start?: object;
  readonly deltas: readonly object[];
}

function piecesOf({ start, deltas }: Block, contentBlockIndex: number): Piece[] {
  const indexed = (part: PieceKind, type: string, members: object) =>
    eventFrame(part, type, { contentBlockIndex, ...members });
  return [
    ...(start === undefined ? [] : [indexed('open', 'contentBlockStart', { start })]),
    ...deltas.map((delta) => indexed('delta', 'contentBlockDelta', { delta })),
    indexed('finish', 'contentBlockStop', {}),
  ];
}

function blocksOf({ reasoning, content, toolCalls }: Choice): Block[] {
  return [
    ...(reasoning === '' ? [] : [reasoningBlock(reasoning)]),
    ...(content === null || content === ''
      ? []
      : [{ deltas: [{ text: '' }, ...splitWords(content).map((text) => ({ text }))] }]),
    ...toolCalls.map(toolBlock),
  ];
}

const reasoningBlock = (reasoning: string): Block => ({
  deltas: [
    ...splitWords(reasoning).map((text) => ({ reasoningContent: { text } })),
    { reasoningContent: { signature: signThought(reasoning) } },
  ],
});

/** A call without arguments has no delta. */
const toolBlock = ({ id, name, arguments: text }: ChoiceToolCall): Block => ({
  start: { toolUse: { toolUseId: toolIdOf(id), name } },
  deltas: text === '{}' ? [] : splitCharacters(text, 8).map((input) => ({ toolUse: { input } })),
});
