import { GatewayError } from '@tallyport/contracts';
import type { ChatChunk, ChatCompletion, Usage } from '@tallyport/wire';
import { createChoiceFold, type ChoiceFold } from './choice.ts';

/** Folds chunks into a completion as they arrive. It keeps the answer, not the chunks. */
export interface Fold {
  add(chunk: ChatChunk): void;
  /** The completion so far. Throws `stream_truncated` while a choice lacks its finish reason. */
  completion(): ChatCompletion;
}

/** The completion of a whole stream. For every provider, `fold(stream(chunks))` equals `response(json)`. */
export function fold(chunks: Iterable<ChatChunk>): ChatCompletion {
  const folding = createFold();
  for (const chunk of chunks) folding.add(chunk);
  return folding.completion();
}

export function createFold(): Fold {
  const choices = new Map<number, ChoiceFold>();
  let first: ChatChunk | undefined;
  let usage: Usage | undefined;
  const rest: Record<string, unknown> = {};

  function choiceOf(index: number): ChoiceFold {
    const known = choices.get(index);
    if (known !== undefined) return known;
    const made = createChoiceFold(index);
    choices.set(index, made);
    return made;
  }

  return {
    add(chunk) {
      first ??= chunk;
      const {
        id: _id,
        object: _object,
        created: _created,
        model: _model,
        choices: said,
        usage: reported,
        ...others
      } = chunk;
      usage = reported ?? usage;
      Object.assign(rest, others);
      for (const choice of said) choiceOf(choice.index).add(choice);
    },
    completion() {
      if (first === undefined || choices.size === 0) {
        throw new GatewayError('stream_truncated', 'The stream ended without an answer.', { domain: 'provider' });
      }
      const { id, created, model } = first;
      const ordered = [...choices.entries()].toSorted(([left], [right]) => left - right);
      return {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: ordered.map(([, choice]) => choice.whole()),
        ...(usage && { usage }),
        ...rest,
      };
    },
  };
}
