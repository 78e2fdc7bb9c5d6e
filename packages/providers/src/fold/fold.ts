import { GatewayError } from '@switchyard/contracts';
import type { ChatChunk, ChatCompletion, Usage } from '@switchyard/wire';
import { createChoiceFold, type ChoiceFold } from './choice.ts';

/** Chunks being folded as they come; what is kept is the answer, not the chunks. */
export interface Fold {
  add(chunk: ChatChunk): void;
  /** Throws `stream_truncated` while a choice lacks its end: half an answer never looks like a whole one. */
  completion(): ChatCompletion;
}

/** The completion a stream of chunks amounts to. For every provider, `fold(stream(chunks))` is `response(json)`. */
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
        usage: told,
        ...others
      } = chunk;
      usage = told ?? usage;
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
