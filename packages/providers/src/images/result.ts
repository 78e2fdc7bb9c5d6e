import { GatewayError } from '@switchyard/contracts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import type { ImageContext, ImagePart, ImagesMade } from '../image-provider.ts';
import { maskKeys } from '../faults/mask-keys.ts';

/** What was read in an answer, before it is judged. */
export interface ImagesInAnswer extends Omit<ImagesMade, 'images' | 'failures'> {
  readonly images: readonly ImagePart[];
  readonly failures?: readonly GatewayError[];
}

/** An answer with images, or with words where a chat was asked; anything less is thrown. */
export function imagesMade(
  { failures = [], ...found }: ImagesInAnswer,
  { call }: ImageContext,
  providerId: string,
): ImagesMade {
  const spoke = call.config !== undefined && found.text !== undefined;
  if (found.images.length > 0 || (spoke && failures.length === 0)) return { ...found, failures };
  throw (
    failures.find(({ domain }) => domain === 'provider') ??
    failures[0] ??
    (found.text === undefined
      ? unreadableAnswer(providerId, 'The answer has no image.')
      : refusedImage(providerId, found.text))
  );
}

const longestReason = 300;

/** The vendor would not make an image of this: another one would not either, and nobody is ill. */
export const refusedImage = (providerId: string, reason?: string | null): GatewayError => {
  const why = !reason ? '' : ` It says: ${maskKeys(reason).slice(0, longestReason)}`;
  return new GatewayError('content_policy_violation', `${providerId} refused to make this image.${why}`, {
    domain: 'policy',
  });
};
