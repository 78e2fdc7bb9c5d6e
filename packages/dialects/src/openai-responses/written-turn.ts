import type { ChatMessage } from '@tallyport/wire';
import { orderOf, type SaidPart } from '../content-order.ts';
import { argumentsOfInput } from './custom-input.ts';
import type { ResponsesItemOf } from './item-schema.ts';
import { unsealState } from '../sealed-state.ts';
import type { ToolNames } from './tool-names.ts';
import { toolSearchTarget } from './tool-search.ts';

type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;
type ToolCall = NonNullable<AssistantMessage['tool_calls']>[number];
type Image = NonNullable<AssistantMessage['images']>[number];

export type AssistantItem =
  | (ResponsesItemOf<'message'> & { role: 'assistant' })
  | ResponsesItemOf<'reasoning' | 'function_call' | 'custom_tool_call' | 'image_generation_call'>
  | (ResponsesItemOf<'tool_search_call'> & { call_id: string });

/** Items that the model wrote one after the other: a chat has them in one message. */
export interface WrittenTurn {
  add(item: AssistantItem, path: string): void;
  /** A result for one of its calls; false where it has no such call without a result. */
  answer(callId: string): boolean;
  /** A call still lacks its result: what the model writes now belongs to this turn. */
  isWaiting(): boolean;
  /** Undefined where there is nothing to say. */
  message(): AssistantMessage | undefined;
}

/** What was said in one turn, in the order of its items. */
interface Said {
  texts: string[];
  refusals: string[];
}

/** With the places of its calls. */
interface SaidInTurn extends Said {
  order: SaidPart[];
}

export function createWrittenTurn(names: ToolNames): WrittenTurn {
  const said: SaidInTurn = { texts: [], refusals: [], order: [] };
  const thoughts: string[] = [];
  const details: unknown[] = [];
  const extras = new Map<string, Record<string, unknown>>();
  const calls: ToolCall[] = [];
  const images: { id: string; image: Image }[] = [];
  const waiting = new Set<string>();

  function addMessage(content: AssistantContent): void {
    const { texts, refusals } = saidIn(content);
    for (const text of texts) {
      said.texts.push(text);
      said.order.push(text.length);
    }
    for (const refusal of refusals) said.refusals.push(refusal);
  }

  function addCall(id: string, name: string, input: string): void {
    calls.push({ id, type: 'function', function: { name, arguments: input } });
    said.order.push('call');
    waiting.add(id);
  }

  function addReasoning(item: ResponsesItemOf<'reasoning'>, path: string): void {
    // Models that show their thinking whole send it beside its summary.
    const shown = item.content?.length ? item.content : (item.summary ?? []);
    for (const { text } of shown) thoughts.push(text);
    if (item.encrypted_content == null) return;
    const state = unsealState(item.encrypted_content, `${path}.encrypted_content`);
    if (state === undefined) return;
    for (const detail of state.details) details.push(detail);
    for (const [id, extra] of Object.entries(state.extras)) extras.set(id, extra);
  }

  return {
    add(item, path) {
      switch (item.type) {
        case 'message':
          return addMessage(item.content);
        case 'reasoning':
          return addReasoning(item, path);
        case 'function_call':
          return addCall(item.call_id, names.nameOf(targetOf(item)), item.arguments);
        case 'custom_tool_call':
          return addCall(item.call_id, names.nameOf(targetOf(item)), argumentsOfInput(item.input));
        case 'tool_search_call':
          return addCall(item.call_id, names.nameOf(toolSearchTarget), JSON.stringify(item.arguments ?? {}));
        case 'image_generation_call':
          images.push(...imagesOf(item));
          return;
        default:
          return item satisfies never;
      }
    },
    answer: (callId) => waiting.delete(callId),
    isWaiting: () => waiting.size > 0,
    message: () => messageOf({ said, thoughts, details, extras, calls, images }),
  };
}

interface TurnParts {
  said: SaidInTurn;
  thoughts: readonly string[];
  details: unknown[];
  extras: ReadonlyMap<string, Record<string, unknown>>;
  calls: readonly ToolCall[];
  images: readonly { id: string; image: Image }[];
}

function messageOf({ said, thoughts, details, extras, calls, images }: TurnParts): AssistantMessage | undefined {
  const { texts, refusals } = said;
  if ([texts, refusals, thoughts, details, calls, images].every(({ length }) => length === 0)) return undefined;
  const extraOf = (id: string) => {
    const extra = extras.get(id);
    return extra && { extra_content: extra };
  };
  return {
    role: 'assistant',
    content: contentOf(texts),
    ...(refusals.length > 0 && { refusal: refusals.join('\n\n') }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('') }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(images.length > 0 && { images: images.map(({ id, image }) => ({ ...image, ...extraOf(id) })) }),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => ({ ...call, ...extraOf(call.id) })) }),
    ...orderOf(said.order),
  };
}

const targetOf = ({ type, name, namespace }: ResponsesItemOf<'function_call' | 'custom_tool_call'>) => ({
  kind: type === 'function_call' ? ('function' as const) : ('custom' as const),
  name,
  ...(namespace != null && { namespace }),
});

type AssistantContent = (ResponsesItemOf<'message'> & { role: 'assistant' })['content'];

/** Annotations and probabilities of earlier texts are ignored: no chat takes them back. */
function saidIn(content: AssistantContent): Said {
  if (typeof content === 'string') return { texts: [content], refusals: [] };
  return {
    texts: content.flatMap((part) => (part.type === 'refusal' ? [] : part.text)),
    refusals: content.flatMap((part) => (part.type === 'refusal' ? part.refusal : [])),
  };
}

function contentOf(texts: readonly string[]): AssistantMessage['content'] {
  const [only = null] = texts;
  return texts.length > 1 ? texts.map((text) => ({ type: 'text' as const, text })) : only;
}

/** None where the image was never made. */
function imagesOf({ id, result, output_format: format }: ResponsesItemOf<'image_generation_call'>) {
  if (!result) return [];
  const type = format === 'svg' ? 'svg+xml' : (format ?? 'png');
  const image: Image = { type: 'image_url', image_url: { url: `data:image/${type};base64,${result}` } };
  return [{ id: id ?? '', image }];
}
