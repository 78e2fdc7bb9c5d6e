import { type Entry, eventReader } from '@tallyport/serving/cache';
import { createFold } from '@tallyport/providers';
import type { ChatChunk, ChatCompletion } from '@tallyport/wire';
import { z } from 'zod';
import { chunkWithReasoningOnce, completionWithReasoningOnce } from '../answer/reasoning-view.ts';

const completionSchema = z.looseObject({
  object: z.literal('chat.completion'),
  created: z.number(),
  choices: z.array(z.looseObject({ index: z.number(), message: z.looseObject({}), finish_reason: z.string() })).min(1),
});

/** Restores the answer in its canonical form. Throws if the entry holds no valid answer. */
export function keptCompletion(entry: Entry): ChatCompletion {
  const completion = entry.form === 'document' ? JSON.parse(entry.body.toString()) : folded(entry);
  if (isCompletion(completion)) return completionWithReasoningOnce(completion);
  throw new TypeError('The entry holds no completion.');
}

const isCompletion = (value: unknown): value is ChatCompletion => completionSchema.safeParse(value).success;

function folded({ body, usage }: Entry): ChatCompletion {
  const folding = createFold();
  const next = eventReader(() => body);
  for (let event = next(); event !== undefined; event = next()) folding.add(chunkIn(event));
  return { ...folding.completion(), ...(usage && { usage }) };
}

const beginning = 'data: '.length;

/** Parses one of our own events: a single line of data. */
export const chunkIn = (event: Buffer): ChatChunk =>
  chunkWithReasoningOnce(JSON.parse(event.toString('utf8', beginning)));
