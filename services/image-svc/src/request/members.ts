import { GatewayError } from '@switchyard/contracts';
import type { ImageCall } from '@switchyard/providers';
import { z } from 'zod';

/** `null` is what some clients send for what is not given. */
const given = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined);

const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  given(z.enum(words, `must be one of ${words.join(', ')}`));

const count = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return given(z.int(message).min(least, message).max(most, message));
};

const text = z.string('must be text');

/** Members of both image endpoints. Unknown members are ignored: OpenAI's clients may be newer than this gateway. */
export const commonMembers = {
  prompt: text.refine((prompt) => prompt.trim() !== '', 'must say in words what is wanted'),
  model: given(text.min(1, 'must not be empty')).transform((model) => model ?? 'auto'),
  n: count(1, 10).transform((n) => n ?? 1),
  background: oneOf(['transparent', 'opaque', 'auto']),
  output_format: oneOf(['png', 'jpeg', 'webp']),
  output_compression: count(0, 100),
  user: given(text),
};

export const generationSchema = z.looseObject({
  ...commonMembers,
  size: given(text),
  quality: given(text),
  style: oneOf(['vivid', 'natural']),
});

export const editSchema = z.looseObject({
  ...commonMembers,
  input_fidelity: oneOf(['high', 'low']),
  quality: oneOf(['low', 'medium', 'high', 'auto']),
  size: oneOf(['auto', '1024x1024', '1536x1024', '1024x1536']),
});

type Members = z.output<typeof generationSchema> | z.output<typeof editSchema>;

/** Everything but the images. */
export function wishesOf(members: Members): Omit<ImageCall, 'operation' | 'images'> {
  const { prompt, n, size, quality, background, user } = members;
  const { output_format: outputFormat, output_compression: outputCompression } = members;
  const style = 'style' in members ? members.style : undefined;
  const inputFidelity = 'input_fidelity' in members ? members.input_fidelity : undefined;
  return {
    prompt,
    n,
    ...(size && { size }),
    ...(quality && { quality }),
    ...(typeof style === 'string' && { style }),
    ...(background && { background }),
    ...(isFidelity(inputFidelity) && { inputFidelity }),
    ...(outputFormat && { outputFormat }),
    ...(outputCompression !== undefined && { outputCompression }),
    ...(user && { user }),
  };
}

const isFidelity = (value: unknown): value is 'high' | 'low' => value === 'high' || value === 'low';

/** Members that mean something elsewhere and cannot be had here: said, and not ignored. */
const unsupported: readonly { name: string; asked(value: unknown): boolean; why: string }[] = [
  {
    name: 'response_format',
    asked: (value) => value !== 'b64_json',
    why: 'must be b64_json or left out: images are answered in base64',
  },
  {
    name: 'mask',
    asked: () => true,
    why: 'is not supported: say in the prompt what is to be changed, and leave it out',
  },
  {
    name: 'stream',
    asked: (value) => value === true || value === 'true',
    why: 'is not supported for images: leave it out, the answer comes when they are made',
  },
];

export function refuseUnsupported(members: Readonly<Record<string, unknown>>): void {
  const found = unsupported.find(
    ({ name, asked }) => members[name] !== undefined && members[name] !== null && asked(members[name]),
  );
  if (found === undefined) return;
  throw new GatewayError('unsupported_parameter', `\`${found.name}\` ${found.why}.`, { param: found.name });
}

/** Throws `invalid_parameters` that names the first wrong member. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const param = (issue?.path ?? [])
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('');
  throw invalidMember(param.replace(/^\./, ''), issue?.message ?? 'cannot be read');
}

export const invalidMember = (param: string, why: string): GatewayError =>
  new GatewayError('invalid_parameters', param === '' ? `The body ${why}.` : `\`${param}\` ${why}.`, { param });
