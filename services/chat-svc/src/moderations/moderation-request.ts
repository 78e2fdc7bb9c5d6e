import { GatewayError } from '@tallyport/contracts';
import type { ModerationCall } from '@tallyport/providers';
import { firstIssue, problemOf } from '@tallyport/wire';
import { z } from 'zod';

/** OpenAI's default, for clients that name no model. */
const defaultModel = 'omni-moderation-latest';

const words = z.string('must be text');
const part = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('text'), text: words }),
    z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: words }) }),
  ],
  'must have the type `text` or `image_url`',
);

/** Unknown members are refused: dropping one could change the judgement without notice. */
const requestSchema = z.strictObject({
  model: words.min(1, 'must not be empty').nullish(),
  input: z.union(
    [words, z.array(words).min(1), z.array(part).min(1)],
    'must be text, a list of texts, or a list of parts of text and images',
  ),
});

/** Checks a request. Throws `invalid_parameters` with the path of the member. */
export function asModerationRequest(value: unknown): { model: string; call: ModerationCall } {
  const { success, data, error } = requestSchema.safeParse(value, firstIssue);
  if (success) return { model: data.model ?? defaultModel, call: { input: data.input } };
  const { param, message } = problemOf(error);
  throw new GatewayError('invalid_parameters', message, param === null ? {} : { param });
}
