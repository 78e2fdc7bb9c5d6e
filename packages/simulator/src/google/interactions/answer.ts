import {
  argumentsIn,
  type Choice,
  type ChoiceToolCall,
  type Piece,
  piece,
  type PieceKind,
  spokenParts,
  splitCharacters,
  splitWords,
} from '@tallyport/sandbox';
import { namedEvent } from '../../event.ts';
import type { GoogleUse } from '../usage.ts';
import { signStep } from './signatures.ts';
import { interactionUse } from './usage.ts';

/** A complete answer, before it is written as JSON or as a stream. */
export interface InteractionScript {
  readonly id: string;
  readonly model: string;
  /** As the API writes times. */
  readonly created: string;
  readonly choice: Choice;
  readonly use: GoogleUse;
  readonly showsThoughts: boolean;
  /** Whether the model signs its thinking. */
  readonly signs: boolean;
}

type Step = Readonly<Record<string, unknown>> & { readonly type: string };

export const wholeInteraction = (script: InteractionScript) => ({
  ...headOf(script, statusOf(script)),
  steps: stepsOf(script),
  usage: interactionUse(script.use),
});

const headOf = ({ id, model, created }: InteractionScript, status: string) => ({
  id,
  object: 'interaction',
  status,
  created,
  updated: created,
  model,
});

const statuses = {
  length: 'incomplete',
  refusal: 'incomplete',
  stop: 'completed',
  tool_calls: 'requires_action',
} as const;
const statusOf = ({ choice }: InteractionScript): string => statuses[choice.finishReason];

function stepsOf({ id, choice, showsThoughts, signs, use }: InteractionScript): Step[] {
  const { reasoning, citations } = choice;
  const thinks = reasoning !== '' || (signs && choice.toolCalls.length > 0);
  const thought = {
    type: 'thought',
    ...(showsThoughts && reasoning !== '' && { summary: [{ type: 'text', text: reasoning }] }),
    ...(signs && { signature: signStep(id) }),
  };
  const annotations = citations.map(({ url, title }) => ({
    type: 'url_citation',
    url,
    title,
    start_index: 0,
    end_index: 1,
  }));
  return [
    ...(thinks ? [thought] : []),
    ...use.searches.flatMap((query, at) => searchSteps(query, at)),
    ...spokenParts(choice).map((part) =>
      part.kind === 'text' ? outputStep(part.text, annotations) : callStep(part.call),
    ),
    ...(choice.refusal === null ? [] : [outputStep(choice.refusal, [])]),
  ];
}

const searchSteps = (query: string, at: number): Step[] => [
  { type: 'google_search_call', id: `search_${at}`, arguments: { queries: [query] } },
  { type: 'google_search_result', call_id: `search_${at}`, result: [{ search_suggestions: '<b>simulated</b>' }] },
];

const outputStep = (text: string, annotations: readonly object[]): Step => ({
  type: 'model_output',
  content: [{ type: 'text', text, ...(annotations.length > 0 && { annotations }) }],
});

const callStep = (call: ChoiceToolCall): Step => ({
  type: 'function_call',
  id: call.id,
  name: call.name,
  arguments: argumentsIn(call),
});

interface Event {
  readonly part: PieceKind;
  readonly type: string;
  readonly members: object;
}

/** The answer as named events with ids, encoded completely in advance. Their last one has no steps. */
export function interactionStream(script: InteractionScript): Piece[] {
  const events: Event[] = [
    event('open', 'interaction.created', { interaction: headOf(script, 'in_progress') }),
    event('open', 'interaction.status_update', { interaction_id: script.id, status: 'in_progress' }),
    ...stepsOf(script).flatMap((step, index) => eventsOf(step, index)),
    event('finish', 'interaction.completed', {
      interaction: { ...headOf(script, statusOf(script)), usage: interactionUse(script.use) },
    }),
  ];
  return [
    ...events.map(({ part, type, members }, at) =>
      namedEvent(part, type, { ...members, event_id: `evt_${at}`, event_type: type }),
    ),
    piece('done', 'event: done\ndata: [DONE]\n\n'),
  ];
}

const event = (part: PieceKind, type: string, members: object): Event => ({ part, type, members });

function eventsOf(step: Step, index: number): Event[] {
  return [
    event('open', 'step.start', { index, step: beginningOf(step) }),
    ...deltasOf(step).map((delta) => event('delta', 'step.delta', { index, delta })),
    event('finish', 'step.stop', { index }),
  ];
}

function beginningOf({ type, id, name, call_id: callId }: Step): object {
  if (type === 'function_call') return { type, id, name, arguments: {} };
  return { type, ...(id !== undefined && { id }), ...(callId !== undefined && { call_id: callId }) };
}

interface Said {
  readonly text: string;
  readonly annotations?: readonly object[];
}

const textsIn = (list: unknown): Said[] => (Array.isArray(list) ? (list as Said[]) : []);

function deltasOf(step: Step): object[] {
  const { type, signature, arguments: input, result } = step;
  switch (type) {
    case 'thought':
      return [
        ...textsIn(step.summary).flatMap(({ text }) =>
          splitWords(text).map((word) => ({ type: 'thought_summary', content: { type: 'text', text: word } })),
        ),
        ...(signature === undefined ? [] : [{ type: 'thought_signature', signature }]),
      ];
    case 'model_output':
      return textsIn(step.content).flatMap(({ text, annotations }) => [
        ...splitWords(text).map((word) => ({ type: 'text', text: word })),
        ...(annotations === undefined ? [] : [{ type: 'text_annotation_delta', annotations }]),
      ]);
    case 'function_call':
      return splitCharacters(JSON.stringify(input), 12).map((piece) => ({ type: 'arguments_delta', arguments: piece }));
    default:
      return [{ type, ...(input === undefined ? { result } : { arguments: input }) }];
  }
}
