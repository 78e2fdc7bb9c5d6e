import type { ChunkChoice, ChunkDelta, FinishReason, ToolCallDelta } from '@tallyport/wire';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { annotationsIn, generatedImages, type AnswerText, spokenIn } from './content.ts';
import { openAiFinishReason, withToolCalls } from './finish-reason.ts';
import { items, type Members, members, others, text } from '../read.ts';
import { isLogprobs } from './response.ts';
import { createThinkSplitter, pushLast, type ThinkSplitter, withSplit } from './think-tags.ts';
import { createThoughts } from './thoughts.ts';
import { createToolCallStream } from './tool-call-stream.ts';
import type { AnswerContext } from './vendor.ts';

const knownOfChoice = new Set(['index', 'delta', 'message', 'logprobs', 'finish_reason', 'usage', 'error']);
const knownOfDelta = new Set([
  'role',
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'images',
  'annotations',
  'tool_calls',
]);

/** One choice of a stream. */
export interface ChoiceStream {
  /** Translates a vendor's choice to one or more of ours: role, delta and finish reason, each in a separate chunk. */
  read(choice: Members): ChunkChoice[];
  /** The finish reason, if the vendor ended the stream without one. */
  finish(): ChunkChoice[];
  finished(): boolean;
}

export function createChoiceStream(index: number, context: AnswerContext): ChoiceStream {
  const calls = createToolCallStream({ completionId: context.completionId, choice: index });
  const splitter = context.vendor.quirks.thinking === 'tags' ? createThinkSplitter() : undefined;
  const thoughts = createThoughts(context);
  let begun = false;
  let finished = false;

  const choiceWith = (delta: ChunkDelta, rest: Partial<ChunkChoice> = {}): ChunkChoice => ({
    index,
    delta,
    ...rest,
    finish_reason: null,
  });

  /**
   * The role is a separate chunk, so that chunks of text do not depend on being the first (`textDeltasAreIndependent`).
   */
  function begin(): ChunkChoice[] {
    if (begun) return [];
    begun = true;
    return [choiceWith({ role: 'assistant', content: '' })];
  }

  function end(reason: FinishReason, rest: Record<string, unknown>): ChunkChoice[] {
    if (finished) return [];
    finished = true;
    const closing = calls.closing();
    thoughts?.keep(calls.firstId());
    const held = splitter === undefined ? {} : toTextDelta(splitter.flush());
    return [
      ...(Object.keys(held).length > 0 ? [choiceWith(held)] : []),
      ...(closing.length > 0 ? [choiceWith({ tool_calls: closing })] : []),
      { index, delta: {}, ...rest, finish_reason: withToolCalls(reason, calls.any()) },
    ];
  }

  return {
    read(choice) {
      const reason = openAiFinishReason(choice.finish_reason, context.vendor.quirks);
      if (reason === 'fault')
        throw unreadableAnswer(context.vendor.id, `The stream ended with ${String(choice.finish_reason)}.`);
      const source = members(choice.delta ?? choice.message);
      const spoken = spokenIn(source);
      // Calls follow the text, so that none of it may be held back.
      const push = items(source.tool_calls).length > 0 ? pushLast : pushPiece;
      const split = splitter === undefined ? spoken : withSplit(spoken, push(splitter, spoken.content ?? ''));
      thoughts?.add(split.reasoning, source.reasoning_details);
      const delta = toDelta(source, split, calls.deltas(source));
      const logprobs = isLogprobs(choice.logprobs) ? { logprobs: choice.logprobs } : {};
      const rest = others(choice, knownOfChoice);
      const says = Object.keys(delta).length > 0 || 'logprobs' in logprobs;
      return [
        ...begin(),
        ...(says ? [choiceWith(delta, { ...logprobs, ...(reason === undefined && rest) })] : []),
        ...(reason === undefined ? [] : end(reason, rest)),
      ];
    },
    finish: () => [...begin(), ...end('stop', {})],
    finished: () => finished,
  };
}

const pushPiece = (splitter: ThinkSplitter, piece: string): Partial<AnswerText> => splitter.push(piece);

/** Only members with content: vendors send empty texts, nulls and repeated roles to keep a connection alive. */
function toDelta(delta: Members, spoken: AnswerText, calls: ToolCallDelta[]): ChunkDelta {
  const refusal = text(delta.refusal);
  const images = generatedImages(delta);
  const annotations = annotationsIn(delta);
  return {
    ...toTextDelta(spoken),
    ...(refusal !== undefined && { refusal }),
    ...(images && { images }),
    ...(annotations && { annotations }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...others(delta, knownOfDelta),
  };
}

const toTextDelta = ({ content, reasoning }: Partial<AnswerText>): ChunkDelta => ({
  ...(content !== undefined && { content }),
  ...(reasoning !== undefined && { reasoning_content: reasoning }),
});
