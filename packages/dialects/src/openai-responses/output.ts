import type { AnswerImage, ChunkDelta, TokenLogprob } from '@tallyport/wire';
import { createOutputCalls } from './output-calls.ts';
import { sendImage } from './output-image.ts';
import type { EndStatus } from './output-events.ts';
import type { OutputItems } from './output-items.ts';
import { openMessage, type OpenMessage } from './output-message.ts';
import { openReasoning, type OpenReasoning } from './output-reasoning.ts';
import { createStateKeeper } from '../state-keeper.ts';
import type { ToolNames } from './tool-names.ts';

/** Writes the output of one response, from the pieces of a stream or from a whole message as its only piece. */
export interface ResponsesOutput {
  add(delta: ChunkDelta, logprobs: readonly TokenLogprob[]): void;
  /** Closes what is open. `isCut`: what was being written is not complete. */
  close(isCut: boolean): void;
}

export function createResponsesOutput(items: OutputItems, names: ToolNames): ResponsesOutput {
  const state = createStateKeeper();
  let message: OpenMessage | undefined;
  let reasoning: OpenReasoning | undefined;
  const calls = createOutputCalls({
    items,
    names,
    beforeOpening: () => closeText('completed'),
    keepExtra: state.extra,
  });

  /** State that arrived goes into the reasoning item that is open, else into one of its own before the next item. */
  function closeText(status: EndStatus): void {
    const reasoningStatus = message === undefined ? status : 'completed';
    message?.close(status);
    message = undefined;
    const sealed = state.take();
    if (sealed !== undefined) reasoning ??= openReasoning(items);
    reasoning?.close(reasoningStatus, sealed);
    reasoning = undefined;
  }

  function spoken(): OpenMessage {
    if (message === undefined) closeText('completed');
    return (message ??= openMessage(items));
  }

  function thought(): OpenReasoning {
    if (reasoning === undefined) message?.close('completed');
    message = undefined;
    return (reasoning ??= openReasoning(items));
  }

  function addText({ content, annotations, refusal }: ChunkDelta, logprobs: readonly TokenLogprob[]): void {
    if (content || (message !== undefined && logprobs.length > 0)) spoken().text(content ?? '', logprobs);
    if (annotations?.length) spoken().annotate(annotations);
    if (refusal) spoken().refusal(refusal);
  }

  function addImage(image: AnswerImage): void {
    closeText('completed');
    sendImage(items, image, state.extra);
  }

  return {
    add(delta, logprobs) {
      for (const detail of listOf(delta.reasoning_details)) state.detail(detail);
      if (delta.reasoning_content) thought().text(delta.reasoning_content);
      addText(delta, logprobs);
      for (const image of delta.images ?? []) addImage(image);
      for (const call of delta.tool_calls ?? []) calls.add(call);
    },
    close(isCut) {
      const isTextLast = message !== undefined || reasoning !== undefined;
      closeText(isCut && isTextLast ? 'incomplete' : 'completed');
      calls.close(isCut && !isTextLast ? 'incomplete' : 'completed');
      closeText('completed');
    },
  };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
