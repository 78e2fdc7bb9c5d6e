import {
  type PieceKind,
  type Piece,
  type Choice,
  type ChoiceToolCall,
  spokenParts,
  splitCharacters,
  splitWords,
} from '@tallyport/sandbox';
import { namedEvent } from '../event.ts';
import { signThought } from '../thought-signature.ts';
import { citationOf, endOf, messageOf, toolIdOf, type AnthropicAnswer } from './message.ts';

interface Block {
  readonly start: Readonly<Record<string, unknown>>;
  readonly deltas: readonly Readonly<Record<string, unknown>>[];
}

/** An event of the answer; its name is the type in its data. */
export interface AnthropicEvent {
  readonly part: PieceKind;
  readonly type: string;
  readonly data: object;
}

/** The answer as named events, encoded completely in advance. */
export const anthropicStream = (script: AnthropicAnswer): Piece[] =>
  anthropicEvents(script).map(({ part, type, data }) => namedEvent(part, type, data));

export function anthropicEvents(script: AnthropicAnswer): AnthropicEvent[] {
  return [
    typed('open', 'message_start', { message: openingOf(script) }),
    ...blocksOf(script).flatMap(eventsOf),
    typed('finish', 'message_delta', { delta: endOf(script), usage: finalUsage(script) }),
    typed('done', 'message_stop', {}),
  ];
}

/** The last event repeats the counts, and has those that are only known at the end. */
function finalUsage({ use }: AnthropicAnswer): object {
  const { service_tier: _tier, cache_creation: _lifetimes, speed: _speed, inference_geo: _geo, ...counts } = use.usage;
  return counts;
}

function openingUsage({ use }: AnthropicAnswer): object {
  const { iterations: _iterations, server_tool_use: _tools, output_tokens_details: _details, ...known } = use.usage;
  return known;
}

const typed = (part: PieceKind, type: string, members: object): AnthropicEvent => ({
  part,
  type,
  data: { type, ...members },
});

const openingOf = (script: AnthropicAnswer) => ({
  ...messageOf(script),
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: undefined,
  usage: { ...openingUsage(script), output_tokens: 1 },
});

function eventsOf({ start, deltas }: Block, index: number): AnthropicEvent[] {
  return [
    typed('open', 'content_block_start', { index, content_block: start }),
    // The vendor pings right after the start of the first block.
    ...(index === 0 ? [typed('comment', 'ping', {})] : []),
    ...deltas.map((delta) => typed('delta', 'content_block_delta', { index, delta })),
    typed('finish', 'content_block_stop', { index }),
  ];
}

const blocksOf = ({ choice, use: { summary } }: AnthropicAnswer): Block[] => [
  ...(summary === undefined ? [] : [compactionBlock(summary)]),
  ...(choice.reasoning === '' ? [] : [thinkingBlock(choice.reasoning)]),
  ...spokenParts(choice).map((part) =>
    part.kind === 'text' ? textBlock(part.text, choice.citations) : toolBlock(part.call),
  ),
];

const compactionBlock = (content: string): Block => ({
  start: { type: 'compaction', content: '', encrypted_content: null },
  deltas: [{ type: 'compaction_delta', content, encrypted_content: null }],
});

const thinkingBlock = (reasoning: string): Block => ({
  start: { type: 'thinking', thinking: '', signature: '' },
  deltas: [
    ...splitWords(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
    { type: 'signature_delta', signature: signThought(reasoning) },
  ],
});

const textBlock = (content: string, citations: Choice['citations']): Block => ({
  start: { type: 'text', text: '' },
  deltas: [
    ...splitWords(content).map((text) => ({ type: 'text_delta', text })),
    ...citations.map((citation) => ({ type: 'citations_delta', citation: citationOf(citation) })),
  ],
});

/** A call without arguments streams one empty piece and never `{}`. */
const toolBlock = ({ id, name, arguments: text }: ChoiceToolCall): Block => ({
  start: { type: 'tool_use', id: toolIdOf(id), name, input: {} },
  deltas: (text === '{}' ? [''] : ['', ...splitCharacters(text, 8)]).map((partial) => ({
    type: 'input_json_delta',
    partial_json: partial,
  })),
});
