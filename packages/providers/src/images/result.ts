import { GatewayError } from '@tallyport/contracts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import type { ImageContext, ImagePart, ImageResult } from '../spec/image-provider.ts';
import { maskKeys } from '../faults/mask-keys.ts';

/** The images and failures found in an answer, before it is checked. */
export interface ImagesInAnswer extends Omit<ImageResult, 'images' | 'failures'> {
  readonly images: readonly ImagePart[];
  readonly failures?: readonly GatewayError[];
}

/** An answer with images, or with text in reply to a chat. Throws for anything less. */
export function imagesMade(
  { failures = [], ...found }: ImagesInAnswer,
  { call }: ImageContext,
  providerId: string,
): ImageResult {
  const hasText = call.config !== undefined && found.text !== undefined;
  if (found.images.length > 0 || (hasText && failures.length === 0)) return { ...found, failures };
  throw (
    failures.find(({ domain }) => domain === 'provider') ??
    failures[0] ??
    (found.text === undefined
      ? unreadableAnswer(providerId, 'The answer has no image.')
      : refusedImage(providerId, found.text))
  );
}

const longestReason = 300;

/** The vendor refused to make this image. Others would refuse it too, and the provider is not at fault. */
export const refusedImage = (providerId: string, reason?: string | null): GatewayError => {
  const why = !reason ? '' : ` It says: ${maskKeys(reason).slice(0, longestReason)}`;
  return new GatewayError('content_policy_violation', `${providerId} refused to make this image.${why}`, {
    domain: 'policy',
  });
};
