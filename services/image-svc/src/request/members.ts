import { GatewayError } from '@tallyport/contracts';
import type { imageEditMembers, imageGenerationRequest } from '@tallyport/endpoints';
import type { ImageCall } from '@tallyport/providers';
import { firstIssue } from '@tallyport/wire';
import type { z } from 'zod';

type Members = z.output<typeof imageGenerationRequest> | z.output<typeof imageEditMembers>;

/** All members of a call except the images. */
export function callOptionsOf(members: Members): Omit<ImageCall, 'operation' | 'images'> {
  const { prompt, n, size, quality, complexity, style, background } = members;
  const { output_format: outputFormat, output_compression: outputCompression } = members;
  const inputFidelity = 'input_fidelity' in members ? members.input_fidelity : undefined;
  return {
    prompt,
    n,
    ...(size && { size }),
    ...(quality && { quality }),
    ...(complexity && { complexity }),
    ...(style && { style }),
    ...(background && { background }),
    ...(isFidelity(inputFidelity) && { inputFidelity }),
    ...(outputFormat && { outputFormat }),
    ...(outputCompression !== undefined && { outputCompression }),
    ...partialsOf(members),
    ...userOf(members),
  };
}

/** The newer member has the meaning of the older one. */
function userOf({ user, safety_identifier: identifier }: Members): Pick<ImageCall, 'user'> {
  const given = user || identifier;
  return given ? { user: given } : {};
}

/** Without a stream, or without any of them, the images are sent alone. */
const partialsOf = ({ stream, partial_images: partialImages }: Members): Pick<ImageCall, 'partialImages'> =>
  stream && partialImages ? { partialImages } : {};

const isFidelity = (value: unknown): value is 'high' | 'low' => value === 'high' || value === 'low';

interface Refusal {
  name: string;
  isRefused(value: unknown): boolean;
  why: string;
}

/** GIF and SVG are not made here. */
const ofOtherFormats = ['frame_count', 'frame_duration_ms', 'svg'].map((name): Refusal => ({
  name,
  isRefused: () => true,
  why: 'belongs to animations and drawings. Images are png, jpeg or webp',
}));

/** Members with a meaning elsewhere that are not supported here. They are refused instead of ignored. */
const unsupported: readonly Refusal[] = [
  ...ofOtherFormats,
  {
    name: 'response_format',
    isRefused: (value) => value !== 'b64_json',
    why: 'must be b64_json or omitted, because images are returned in base64',
  },
  {
    name: 'markup',
    isRefused: () => true,
    why: 'is not supported. Omit it and describe the change in the prompt, or send a `mask`',
  },
];

const maskOfNothing: Refusal = {
  name: 'mask',
  isRefused: () => true,
  why: 'belongs to an edit. Send it with an image to POST /v1/images/edits',
};

/** For requests without images. */
export const refuseForGenerations = (members: Readonly<Record<string, unknown>>): void =>
  refuse(members, [...unsupported, maskOfNothing]);

export const refuseUnsupported = (members: Readonly<Record<string, unknown>>): void => refuse(members, unsupported);

function refuse(members: Readonly<Record<string, unknown>>, refusals: readonly Refusal[]): void {
  const found = refusals.find(
    ({ name, isRefused }) => members[name] !== undefined && members[name] !== null && isRefused(members[name]),
  );
  if (found === undefined) return;
  throw new GatewayError('unsupported_parameter', `\`${found.name}\` ${found.why}.`, { param: found.name });
}

/** Throws `invalid_parameters` that names the first invalid member. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value, firstIssue);
  if (success) return data;
  const [issue] = error.issues;
  const param = (issue?.path ?? [])
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('');
  throw invalidMember(param.replace(/^\./, ''), issue?.message ?? 'is invalid');
}

export const invalidMember = (param: string, why: string): GatewayError =>
  new GatewayError('invalid_parameters', param === '' ? `The body ${why}.` : `\`${param}\` ${why}.`, { param });
