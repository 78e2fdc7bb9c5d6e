import { z } from 'zod';
import { routingMembers } from '../routing-members.ts';

/** Some clients send `null` for members they leave out. */
export const given = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

export const givenOneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  given(z.enum(words, `must be one of ${words.join(', ')}`));

const count = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return given(z.int(message).min(least, message).max(most, message));
};

export const memberText = z.string('must be text');

const flag = given(z.boolean('must be true or false'));

/** Members of both image endpoints. Unknown members are ignored: OpenAI's clients may be newer than this gateway. */
export const commonMembers = {
  prompt: memberText.refine((prompt) => prompt.trim() !== '', 'must describe the image'),
  model: given(memberText.min(1, 'must not be empty'))
    .transform((model) => model ?? 'auto')
    .describe('A model that makes images, or `auto`.'),
  n: count(1, 10)
    .transform((n) => n ?? 1)
    .describe('Number of images.'),
  background: givenOneOf(['transparent', 'opaque', 'auto']),
  complexity: givenOneOf(['low', 'medium', 'high']),
  output_format: givenOneOf(['png', 'jpeg', 'webp']),
  output_compression: count(0, 100).describe('In percent; for jpeg and webp.'),
  stream: flag,
  partial_images: count(0, 3),
  /** The successor of `user`. */
  safety_identifier: given(memberText),
  user: given(memberText),
  style: givenOneOf(['vivid', 'natural']),
  ...routingMembers,
};
