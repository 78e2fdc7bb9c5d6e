import type { ChatMessage } from '@tallyport/wire';
import { orderOf, type SaidPart } from '../content-order.ts';
import { refuseMember } from '../refuse-member.ts';
import { isSealedHere, unsealState } from '../sealed-state.ts';
import { standardBase64 } from '../standard-base64.ts';
import type { PlacedStep } from './input.ts';
import type { StepContent, StepOf } from './step-schema.ts';

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;
type ToolCall = NonNullable<AssistantMessage['tool_calls']>[number];
type Image = NonNullable<AssistantMessage['images']>[number];

/** A step that a model wrote. */
export type ModelStep = StepOf<'function_call' | 'model_output' | 'thought'>;

/** Steps that the model wrote one after the other: a chat has them in one message. */
export interface ModelTurn {
  add(step: ModelStep, place: Omit<PlacedStep, 'step'>): void;
  /** A result for one of its calls; false where it has no such call without a result. */
  answer(callId: string): boolean;
  /** A call still lacks its result: what the model writes now belongs to this turn. */
  isWaiting(): boolean;
  /** Undefined where there is nothing to say. */
  message(): AssistantMessage | undefined;
}

export function createModelTurn(): ModelTurn {
  const texts: string[] = [];
  const said: SaidPart[] = [];
  const thoughts: string[] = [];
  const details: unknown[] = [];
  const extras = new Map<string, Record<string, unknown>>();
  const calls: ToolCall[] = [];
  const images: Image[] = [];
  const waiting = new Set<string>();

  function addThought({ signature, summary }: StepOf<'thought'>, path: string): void {
    for (const part of summary ?? []) if (part.type === 'text') thoughts.push(String(part.text));
    const state = unsealedState(signature, `${path}.signature`);
    for (const detail of state?.details ?? []) details.push(detail);
    for (const [id, extra] of Object.entries(state?.extras ?? {})) extras.set(id, extra);
  }

  function addContent(content: StepContent, path: string): void {
    if (content.type === 'text') {
      texts.push(content.text);
      said.push(content.text.length);
    } else images.push(imageOf(content, path));
  }

  const signed = (id: string) => {
    const extra = extras.get(id);
    return extra && { extra_content: extra };
  };

  return {
    add(step, { path, contentPath }) {
      switch (step.type) {
        case 'thought':
          return addThought(step, path);
        case 'model_output':
          return (step.content ?? []).forEach((content, at) => addContent(content, contentPath(at)));
        case 'function_call':
          waiting.add(step.id);
          calls.push(callOf(step));
          said.push('call');
          return undefined;
        default:
          return step satisfies never;
      }
    },
    answer: (callId) => waiting.delete(callId),
    isWaiting: () => waiting.size > 0,
    message() {
      if ([texts, thoughts, details, calls, images].every(({ length }) => length === 0)) return undefined;
      return {
        role: 'assistant',
        content: texts.length === 0 && calls.length > 0 ? null : texts.join(''),
        ...(thoughts.length > 0 && { reasoning_content: thoughts.join('') }),
        ...(details.length > 0 && { reasoning_details: details }),
        ...(images.length > 0 && { images: images.map((image, at) => ({ ...image, ...signed(imageName(at)) })) }),
        ...(calls.length > 0 && { tool_calls: calls.map((call) => ({ ...call, ...signed(call.id) })) }),
        ...orderOf(said),
      };
    },
  };
}

/** Images have no ids; what a vendor wants back with one is kept by its place in the turn. */
export const imageName = (at: number): string => `image ${at}`;

/** Of another service's signature nothing is known here, and its summary remains. */
function unsealedState(signature: string | null | undefined, path: string) {
  if (signature == null) return undefined;
  const sealed = Buffer.from(signature, 'base64').toString();
  return isSealedHere(sealed) ? unsealState(sealed, path) : undefined;
}

const callOf = ({ id, name, arguments: input }: StepOf<'function_call'>): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(input) },
});

function imageOf(content: Exclude<StepContent, { type: 'text' }>, path: string): Image {
  const { type, data, uri, mime_type: mimeType } = content;
  if (type !== 'image') return refuseMember(`${path}.type`, `${type} of an earlier answer is not supported`);
  const url = data == null ? (uri ?? '') : `data:${mimeType};base64,${standardBase64(data)}`;
  return { type: 'image_url', image_url: { url } };
}
