import { GatewayError } from '@tallyport/contracts';
import { firstIssue } from '@tallyport/wire';
import { z } from 'zod';

/** The members of an image request that a plan depends on; image-svc checks the rest. */
const imageSchema = z.looseObject({
  prompt: z.string('must be text').min(1, 'must not be empty'),
  model: z.string('must be text').min(1, 'must not be empty').default('auto'),
  images: z.array(z.unknown(), 'must be a list').nullish(),
  user: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
});

interface ImageBody {
  model: string;
  prompt: string;
  /** How many images it edits. */
  images: number;
  endUserMembers: { user?: unknown; safety_identifier?: unknown };
}

/** Reads the body of a request for images. Throws `invalid_parameters`. */
export function imageBody(body: unknown): ImageBody {
  const { success, data, error } = imageSchema.safeParse(body, firstIssue);
  if (success)
    return { model: data.model, prompt: data.prompt, images: data.images?.length ?? 0, endUserMembers: data };
  const [issue] = error.issues;
  const param = String(issue?.path[0] ?? 'body');
  throw new GatewayError('invalid_parameters', `\`${param}\` ${issue?.message}.`, { param });
}
