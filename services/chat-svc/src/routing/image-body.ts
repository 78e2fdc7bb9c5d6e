import { GatewayError } from '@tallyport/contracts';
import { firstIssue } from '@tallyport/wire';
import { z } from 'zod';

/** The members of an image request that a plan depends on; image-svc checks the rest. */
const imageSchema = z.looseObject({
  prompt: z.string('must be text').min(1, 'must not be empty'),
  model: z.string('must be text').min(1, 'must not be empty').default('auto'),
  images: z.array(z.unknown(), 'must be a list').nullish(),
});

/** Reads the body of a request for images. Throws `invalid_parameters`. */
export function imageBody(body: unknown): { model: string; editing: boolean } {
  const { success, data, error } = imageSchema.safeParse(body, firstIssue);
  if (success) return { model: data.model, editing: (data.images?.length ?? 0) > 0 };
  const [issue] = error.issues;
  const param = String(issue?.path[0] ?? 'body');
  throw new GatewayError('invalid_parameters', `\`${param}\` ${issue?.message}.`, { param });
}
