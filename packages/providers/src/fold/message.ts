import {
  type AnswerAudio,
  type AnswerImage,
  type Annotation,
  type ChunkDelta,
  type CompletionMessage,
  createDetailFold,
  createOrderKeeper,
  type OrderKeeper,
} from '@tallyport/wire';
import { emptyContent } from '../empty-content.ts';
import { createToolCallFold } from './tool-calls.ts';

interface MessageFold {
  add(delta: ChunkDelta): void;
  whole(): CompletionMessage;
}

export function createMessageFold(): MessageFold {
  const calls = createToolCallFold();
  const details = createDetailFold();
  const order = createOrderKeeper();
  const images: AnswerImage[] = [];
  const annotations: Annotation[] = [];
  const others = createOtherMembers();
  let content = '';
  let refusal = '';
  let reasoning = '';
  let audio: AnswerAudio | undefined;
  let functionCall: { name: string; arguments: string } | undefined;

  return {
    add(delta) {
      const detailsBefore = details.whole().length;
      const { role: _role, content: said, refusal: refused, reasoning_content: thought, ...rest } = delta;
      content += said ?? '';
      refusal += refused ?? '';
      reasoning += thought ?? '';
      const { images: shown = [], annotations: noted = [], tool_calls: called = [], ...further } = rest;
      images.push(...shown);
      annotations.push(...noted);
      called.forEach(calls.add);
      const { audio: heard, function_call: legacy, ...unknown } = further;
      if (heard) audio = joinAudio(audio, heard);
      if (legacy) functionCall = joinCall(functionCall, legacy);
      for (const [name, value] of Object.entries(unknown)) {
        if (name === 'reasoning_details' && Array.isArray(value)) value.forEach(details.add);
        else others.add(name, value);
      }
      noteOrder(order, delta, details.whole().length - detailsBefore);
    },
    whole() {
      const toolCalls = calls.whole();
      const reasoningDetails = details.whole();
      const written = order.whole();
      const rest = {
        refusal: refusal === '' ? null : refusal,
        ...(reasoning !== '' && { reasoning_content: reasoning }),
        ...(images.length > 0 && { images: images.map((image, index) => ({ ...image, index })) }),
        ...(annotations.length > 0 && { annotations }),
        ...(audio && { audio }),
        ...(functionCall && { function_call: functionCall }),
        ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
        ...(reasoningDetails.length > 0 && { reasoning_details: reasoningDetails }),
        ...(written && { content_order: written }),
        ...others.whole,
      };
      return { role: 'assistant', content: content === '' ? emptyContent(rest) : content, ...rest };
    },
  };
}

function noteOrder(order: OrderKeeper, delta: ChunkDelta, newDetails: number): void {
  const { content, reasoning_content: thought, annotations = [], tool_calls: calls = [] } = delta;
  order.reasoning(thought?.length ?? 0, newDetails);
  order.text(content?.length ?? 0, annotations.length);
  for (const { index } of calls) order.call(index);
}

/** Members that only some vendors have. Lists are concatenated in a copy; any other one takes its latest value. */
function createOtherMembers() {
  const whole: Record<string, unknown> = {};
  const lists = new Map<string, unknown[]>();
  return {
    whole,
    add(name: string, value: unknown): void {
      if (!Array.isArray(value)) {
        whole[name] = value;
        return;
      }
      const grown = lists.get(name) ?? [];
      for (const entry of value) grown.push(entry);
      lists.set(name, grown);
      whole[name] = grown;
    },
  };
}

const joinAudio = (
  kept: AnswerAudio = { id: '', data: '', expires_at: 0, transcript: '' },
  { id = '', data = '', expires_at = kept.expires_at, transcript = '' }: Partial<AnswerAudio>,
): AnswerAudio => ({
  id: kept.id || id,
  data: kept.data + data,
  expires_at,
  transcript: kept.transcript + transcript,
});

const joinCall = (
  kept: { name: string; arguments: string } = { name: '', arguments: '' },
  { name = '', arguments: input = '' }: { name?: string; arguments?: string },
) => ({ name: kept.name || name, arguments: kept.arguments + input });
