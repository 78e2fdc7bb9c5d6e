import type { ChunkDelta } from '@tallyport/wire';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { generatedCallId } from '../generated-call-id.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import { type Members, text } from '../read.ts';
import { createPartialArguments, type PartialArguments } from './partial-arguments.ts';
import { signatureExtra } from './signatures.ts';

/** The calls of one answer, each returned once it is complete. */
interface AnswerCalls {
  read(part: Members, signature: string | undefined): ChunkDelta | undefined;
  called(): boolean;
  /** Whether a call was started whose arguments are incomplete. */
  unfinished(): boolean;
}

/** A call whose arguments are still arriving. */
interface OpenCall {
  id: unknown;
  name: string;
  signature: string | undefined;
  input: PartialArguments;
}

export function createAnswerCalls({ providerId, completionId, keepSignature }: OneChoiceContext): AnswerCalls {
  const ids = new Set<string>();
  let open: OpenCall | undefined;

  function complete({ id: given, name, signature, input }: OpenCall): ChunkDelta {
    const index = ids.size;
    const own = text(given);
    const id = own === undefined || ids.has(own) ? generatedCallId(completionId, index) : own;
    ids.add(id);
    if (signature !== undefined) keepSignature?.(id, signature);
    const called = { name, arguments: JSON.stringify(input.whole()) };
    return { tool_calls: [{ index, id, type: 'function', function: called, ...signatureExtra(signature) }] };
  }

  return {
    /**
     * A part with a name starts a call, one without continues it. The call is complete when `willContinue` is not set.
     */
    read(part, signature) {
      const name = text(part.name);
      if (name !== undefined) open = { id: part.id, name, signature, input: createPartialArguments(part.args) };
      if (open === undefined) return undefined;
      if (!open.input.add(part.partialArgs)) throw unreadableAnswer(providerId, 'Arguments of a call lie too deep.');
      if (part.willContinue === true) return undefined;
      const whole = open;
      open = undefined;
      return complete(whole);
    },
    called: () => ids.size > 0,
    unfinished: () => open !== undefined,
  };
}
