import type { AnswerImage, ChunkDelta } from '@tallyport/wire';
import { createStateKeeper } from '../state-keeper.ts';
import { imageName } from './model-turn.ts';
import { createOpenCalls } from './open-calls.ts';
import { openOutput, type OpenOutput } from './open-output.ts';
import { openThought, type OpenThought } from './open-thought.ts';
import type { StepList } from './step-list.ts';

/** Writes the steps of one answer, from the pieces of a stream or from a whole message as its only pieces. */
interface InteractionOutput {
  add(delta: ChunkDelta): void;
  /** Closes what is open. */
  close(): void;
  called(): boolean;
  malformed(): { name: string; arguments: string } | undefined;
}

interface OutputTerms {
  showsThoughts: boolean;
  newId(): string;
}

export function createInteractionOutput(steps: StepList, { showsThoughts, newId }: OutputTerms): InteractionOutput {
  const state = createStateKeeper();
  let message: OpenOutput | undefined;
  let thought: OpenThought | undefined;
  let images = 0;
  const calls = createOpenCalls({ steps, newId, beforeOpening: closeText, keepExtra: state.extra });

  /** State that arrived is the signature of the thought that is open, else of one of its own before the next step. */
  function closeText(): void {
    message?.close();
    message = undefined;
    const sealed = state.take();
    if (sealed !== undefined) thought ??= openThought(steps);
    thought?.close(sealed);
    thought = undefined;
  }

  function spoken(): OpenOutput {
    if (message === undefined) closeText();
    return (message ??= openOutput(steps));
  }

  function thinking(): OpenThought {
    if (thought === undefined) message?.close();
    message = undefined;
    return (thought ??= openThought(steps));
  }

  function addImage(image: AnswerImage): void {
    spoken().image(image);
    if (image.extra_content !== undefined) state.extra(imageName(images), image.extra_content);
    images += 1;
  }

  function say({ content, annotations, refusal }: ChunkDelta): void {
    if (content) spoken().text(content);
    if (annotations?.length) spoken().annotate(annotations);
    if (refusal) spoken().text(refusal);
  }

  return {
    add({ reasoning_content: words, reasoning_details: details, ...delta }) {
      for (const detail of Array.isArray(details) ? details : []) state.detail(detail);
      if (words && showsThoughts) thinking().text(words);
      say(delta);
      for (const image of delta.images ?? []) addImage(image);
      for (const call of delta.tool_calls ?? []) calls.add(call);
    },
    close() {
      closeText();
      calls.close();
      closeText();
    },
    called: calls.called,
    malformed: calls.malformed,
  };
}
