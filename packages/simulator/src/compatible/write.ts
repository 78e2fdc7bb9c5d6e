import {
  dataEvent,
  piece,
  type PieceKind,
  type Piece,
  type Choice,
  type ChatQuestion,
  type Metered,
  splitWords,
  type TokenCounts,
  requestedFinish,
  unknownUsage,
} from '@tallyport/sandbox';
import { itemsOf, totalDollars } from '../bill/items.ts';
import { priceTables } from '../bill/prices/price-tables.ts';
import type { Spelling, ReasoningPiece } from './vendor.ts';

/** A complete answer, before it is written as JSON or as a stream. */
export interface CompatibleAnswer {
  readonly id: string;
  readonly created: number;
  readonly question: ChatQuestion;
  readonly choices: readonly Choice[];
  readonly spent: TokenCounts;
  /** What the vendor bills. */
  readonly metered: Metered;
  readonly vendor: string;
  readonly spelling: Spelling;
}

export function wholeOf(script: CompatibleAnswer): string {
  const { id, created, question, choices, spelling } = script;
  const answer = {
    id,
    object: 'chat.completion',
    created,
    model: question.model,
    choices: choices.map((choice, index) => ({
      index,
      message: messageOf(choice, spelling),
      finish_reason: finishReasonOf(choice, script),
      ...spelling.choiceMembers,
    })),
    usage: usageOf(script),
    ...spelling.answerMembers,
  };
  return spelling.preamble.whole + JSON.stringify(answer);
}

const usageOf = (script: CompatibleAnswer): object => ({
  ...script.spelling.usage(script.spent, (tier) => billedFor(script, tier)),
  ...unknownUsage(script.question.lastText).members,
});

/** Nothing for a model that the vendor's price list does not have. */
function billedFor({ metered, question: { model }, vendor }: CompatibleAnswer, tier: string): string {
  return totalDollars(itemsOf({ metered: { ...metered, tier }, model }, priceTables[vendor] ?? {})) ?? '0';
}

const finishReasonOf = (choice: Choice, { question, spelling }: CompatibleAnswer) =>
  requestedFinish(question.lastText) ?? spelling.finishReason(choice);

function messageOf(choice: Choice, spelling: Spelling): object {
  const { reasoning, toolCalls } = choice;
  const member = spelling.reasoning === 'reasoning' || spelling.reasoning === 'reasoning_content';
  return {
    role: 'assistant',
    content: contentOf(choice, spelling),
    ...(member && reasoning !== '' && { [spelling.reasoning]: reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call, index) => callOf(call, index, spelling)) }),
    ...(reasoning !== '' && detailsOf(spelling, { text: reasoning, signs: reasoning })),
    ...spelling.messageMembers(choice),
  };
}

function callOf(call: Choice['toolCalls'][number], index: number, { toolId }: Spelling): object {
  return { id: toolId(call, index), type: 'function', function: { name: call.name, arguments: call.arguments } };
}

function contentOf({ reasoning, content, refusal }: Choice, spelling: Spelling): unknown {
  const text = content ?? refusal;
  if (reasoning === '') return text;
  if (spelling.reasoning === 'think') return thinking(reasoning) + (text ?? '');
  if (spelling.reasoning !== 'parts') return text;
  return [thinkingPart(reasoning), ...(text === null ? [] : [{ type: 'text', text }])];
}

const thinking = (reasoning: string) => `<think>\n${reasoning}\n</think>\n\n`;

const thinkingPart = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });

/** All events are encoded in advance, so that sending is only writing. */
export function compatibleEvents(script: CompatibleAnswer): Piece[] {
  const { spelling } = script;
  const usage = usageOf(script);
  const chunks = script.choices.flatMap((choice, index) => chunksOf(choice, index, script));
  if (spelling.usagePlace === 'asked' && script.question.includeUsage)
    chunks.push({ part: 'usage', members: { choices: [], usage } });
  const every = spelling.usagePlace === 'every' ? { usage } : {};
  return [
    ...spelling.preamble.stream,
    ...chunks.map(({ part, members }) => dataEvent(part, { ...headOf(script), ...every, ...members })),
    piece('done', 'data: [DONE]\n\n'),
  ];
}

const headOf = ({ id, created, question, spelling }: CompatibleAnswer) => ({
  id,
  object: 'chat.completion.chunk',
  created,
  model: question.model,
  ...spelling.answerMembers,
});

interface Chunk {
  readonly part: PieceKind;
  readonly members: object;
}

function chunksOf(choice: Choice, index: number, script: CompatibleAnswer): Chunk[] {
  const { spelling } = script;
  const inChoice = (delta: object, finish: string | null, further: object = {}): object => ({
    choices: [{ index, delta, finish_reason: finish, ...spelling.choiceMembers, ...further }],
  });
  const deltas = deltasOf(choice, spelling).map((delta): Chunk => {
    const members = inChoice({ ...spelling.deltaMembers, ...delta }, null);
    return { part: 'delta', members };
  });
  const usage = usageOf(script);
  const end = {
    ...inChoice(
      { ...spelling.deltaMembers },
      finishReasonOf(choice, script),
      spelling.usagePlace === 'choice' ? { usage } : {},
    ),
    ...(spelling.usagePlace === 'last' && index === script.choices.length - 1 && { usage }),
    ...spelling.lastMembers(usage),
  };
  const open = inChoice({ role: 'assistant', content: '' }, null);
  return [{ part: 'open', members: open }, ...deltas, { part: 'finish', members: end }];
}

function deltasOf(choice: Choice, spelling: Spelling): object[] {
  const { content, refusal, toolCalls } = choice;
  const calls = toolCalls.flatMap((call, index) =>
    spelling.toolDeltas({ ...call, id: spelling.toolId(call, index) }, index),
  );
  const further = spelling.messageMembers(choice);
  return [
    ...reasoningDeltas(choice, spelling),
    ...splitWords(content ?? refusal ?? '').map((text) => ({ content: text })),
    ...calls.map((call) => ({ tool_calls: [call] })),
    ...(Object.keys(further).length > 0 ? [further] : []),
  ];
}

function reasoningDeltas({ reasoning }: Choice, spelling: Spelling): object[] {
  if (reasoning === '') return [];
  switch (spelling.reasoning) {
    case 'hidden':
      return spelling.reasoningDetail === undefined ? [] : [detailsOf(spelling, { text: reasoning, signs: reasoning })];
    case 'think':
      return splitWords(thinking(reasoning)).map((content) => ({ content }));
    case 'parts':
      return splitWords(reasoning).map((text) => ({ content: [thinkingPart(text)] }));
    case 'reasoning':
    case 'reasoning_content':
      return splitWords(reasoning).map((text, index, { length }) => ({
        content: null,
        [spelling.reasoning]: text,
        ...detailsOf(spelling, { text, ...(index === length - 1 && { signs: reasoning }) }),
      }));
    default:
      return spelling.reasoning satisfies never;
  }
}

const detailsOf = ({ reasoningDetail }: Spelling, piece: ReasoningPiece): object =>
  reasoningDetail === undefined ? {} : { reasoning_details: [reasoningDetail(piece)] };
