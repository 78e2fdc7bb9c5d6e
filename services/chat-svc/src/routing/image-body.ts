import { GatewayError } from '@tallyport/contracts';
import type { WantedImages } from '@tallyport/pricing';
import { firstIssue } from '@tallyport/wire';
import { z } from 'zod';

const text = z.string('must be text');

/** The members of an image request that a plan and its price depend on; image-svc checks the rest. */
const imageSchema = z.looseObject({
  prompt: text.min(1, 'must not be empty'),
  model: text.min(1, 'must not be empty').default('auto'),
  images: z.array(z.unknown(), 'must be a list').nullish(),
  n: z.int('must be a number from 1 to 10').min(1, 'must be at least 1').max(10, 'must be at most 10').nullish(),
  quality: text.nullish(),
  size: text.nullish(),
  stream: z.boolean('must be true or false').nullish(),
  partial_images: z
    .int('must be a number from 0 to 3')
    .min(0, 'must be at least 0')
    .max(3, 'must be at most 3')
    .nullish(),
  user: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
});

interface ImageBody {
  model: string;
  wanted: WantedImages;
  endUserMembers: { user?: unknown; safety_identifier?: unknown };
}

/** Reads the body of a request for images. Throws `invalid_parameters`. */
export function imageBody(body: unknown): ImageBody {
  const { success, data, error } = imageSchema.safeParse(body, firstIssue);
  if (success) return { model: data.model, wanted: wantedBy(data), endUserMembers: data };
  const [issue] = error.issues;
  const param = String(issue?.path[0] ?? 'body');
  throw new GatewayError('invalid_parameters', `\`${param}\` ${issue?.message}.`, { param });
}

const wantedBy = ({
  prompt,
  n,
  images,
  quality,
  size,
  stream,
  partial_images: partialImages,
}: z.output<typeof imageSchema>): WantedImages => ({
  prompt,
  n: n ?? 1,
  images: images ?? [],
  ...(quality && { quality }),
  ...(size && { size }),
  ...(stream && partialImages && { partialImages }),
});
