import {
  argumentsIn,
  type PieceKind,
  type Piece,
  type Choice,
  type ChoiceToolCall,
  spokenParts,
  splitCharacters,
  splitWords,
} from '@tallyport/sandbox';
import { signThought } from '../thought-signature.ts';
import { eventFrame } from './frame.ts';
import type { ConverseUse } from './usage.ts';

export interface BedrockAnswer {
  readonly choice: Choice;
  readonly use: ConverseUse;
  /** Some models send the usage before the stop reason. */
  readonly usageFirst: boolean;
  /** The request asks for the stop text, which only some models have. */
  readonly namesStop: boolean;
}

/** The tier is reported only if it is not the ordinary one. */
const countsOf = ({ usage, tier }: ConverseUse) => ({
  usage,
  metrics: { latencyMs: 1 },
  ...(tier !== 'default' && { serviceTier: { type: tier } }),
});

const stopReasonOf = ({ finishReason, stoppedBy }: Choice): string =>
  stoppedBy === null ? stopReasons[finishReason] : 'stop_sequence';

const stopReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  refusal: 'content_filtered',
} as const;

const endOf = ({ choice, namesStop }: BedrockAnswer) => ({
  stopReason: stopReasonOf(choice),
  ...(namesStop && { additionalModelResponseFields: { stop_sequence: choice.stoppedBy } }),
});

export const converseAnswer = (answer: BedrockAnswer) => ({
  output: { message: { role: 'assistant', content: contentOf(answer.choice) } },
  ...endOf(answer),
  ...countsOf(answer.use),
});

const contentOf = (choice: Choice) => [
  ...(choice.reasoning === ''
    ? []
    : [{ reasoningContent: { reasoningText: { text: choice.reasoning, signature: signThought(choice.reasoning) } } }]),
  ...spokenParts(choice).map((part) =>
    part.kind === 'text' ? { text: part.text } : { toolUse: toolUseOf(part.call) },
  ),
];

const toolUseOf = (call: ChoiceToolCall) => ({
  toolUseId: toolIdOf(call.id),
  name: call.name,
  input: argumentsIn(call),
});

const toolIdOf = (id: string) => id.replace(/^call_/, 'tooluse_');

export function framesOf(answer: BedrockAnswer): Piece[] {
  const { choice, use, usageFirst } = answer;
  const usage = eventFrame('usage', 'metadata', countsOf(use));
  const stop = eventFrame('finish', 'messageStop', endOf(answer));
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

const blocksOf = (choice: Choice): Block[] => [
  ...(choice.reasoning === '' ? [] : [reasoningBlock(choice.reasoning)]),
  ...spokenParts(choice).map((part) => (part.kind === 'text' ? textBlock(part.text) : toolBlock(part.call))),
];

const textBlock = (content: string): Block => ({
  deltas: [{ text: '' }, ...splitWords(content).map((text) => ({ text }))],
});

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
