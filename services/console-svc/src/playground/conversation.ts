import { type FieldValues, problemAt, type PlaygroundTurn } from '@tallyport/pages';
import { z } from 'zod';

const turnsSchema = z.array(z.object({ prompt: z.string(), answers: z.record(z.string(), z.string().nullable()) }));

/** The bytes of a history in a posted form, which may have 64 KiB with everything in it. */
export const mostHistoryBytes = 40_000;

/** The turns before the message of a form, which its hidden field `history` holds as JSON. */
export function turnsIn(fields: FieldValues): readonly PlaygroundTurn[] {
  const turns = readTurns(fields);
  if (turns === undefined) throw problemAt('prompt', 'The conversation cannot be read. Start a new one.');
  return turns;
}

/** The turns of a form that is shown again: none if they cannot be read. */
export const turnsToShow = (fields: FieldValues): readonly PlaygroundTurn[] => readTurns(fields) ?? [];

const readTurns = ({ history = '' }: FieldValues): readonly PlaygroundTurn[] | undefined =>
  history === '' ? [] : turnsSchema.safeParse(jsonIn(history)).data;

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of the hidden field; nothing if the turns are too long for a form. */
export function historyOf(turns: readonly PlaygroundTurn[]): string | undefined {
  const history = turns.length === 0 ? '' : JSON.stringify(turns);
  return encodedBytes(history) > mostHistoryBytes ? undefined : history;
}

/** What a text takes in a posted form. */
export const encodedBytes = (text: string): number => new URLSearchParams({ '': text }).toString().length - 1;

/** The fields of a form whose user wants to write the message of a turn anew, and the turns before it. */
export function editedFields(fields: FieldValues): FieldValues {
  const turns = turnsToShow(fields);
  const edited = turns[Number(fields['edit'])];
  if (edited === undefined) return fields;
  return { ...fields, prompt: edited.prompt, history: historyOf(turns.slice(0, turns.indexOf(edited))) ?? '' };
}
