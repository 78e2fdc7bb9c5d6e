import { GatewayError } from '@tallyport/contracts';
import type { ImagePart, ImageResult } from '@tallyport/providers';
import { imageTypeOf, type LongStrings, markBytes } from '@tallyport/wire';
import { base64SlicesOf, decodedLength, firstBytes, toBase64 } from './base64.ts';
import { asFailure } from './some-of.ts';
import type { AttemptedImages, ImageAttempt } from './image-attempt.ts';
import type { MadeImage } from './image-task.ts';
import { downloadResult } from './result-url.ts';

/** Longer strings, which are images, stay the provider's bytes; shorter ones are parsed. */
export const longStringBytes = 16 * 1024;

/** An answer read by its adapter. Its texts may still be the provider's bytes. */
export interface ReadAnswer {
  made: ImageResult;
  strings: LongStrings;
}

/** Fetches and identifies every image of an answer. An image that fails becomes a failure beside the others. */
export async function collectImages(
  { made, strings }: ReadAnswer,
  attempt: ImageAttempt,
  signal: AbortSignal,
): Promise<AttemptedImages> {
  const taken = await Promise.allSettled(made.images.map((part) => takeImage({ part, strings }, attempt, signal)));
  signal.throwIfAborted();
  const images = taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const missing = taken.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  if (images.length === 0 && missing.length > 0) throw missing[0];
  const { images: _images, failures, kind: _kind, outputFormat: _outputFormat, ...rest } = made;
  return { ...rest, images, failures: [...failures, ...missing.map((thrown) => asFailure(thrown, attempt))] };
}

interface AnswerImage {
  part: ImagePart;
  strings: LongStrings;
}

async function takeImage(
  { part, strings }: AnswerImage,
  attempt: ImageAttempt,
  signal: AbortSignal,
): Promise<MadeImage> {
  const { source, revisedPrompt, size, extraContent } = part;
  const rest = {
    ...(revisedPrompt && { revisedPrompt }),
    ...(size && { size }),
    ...(extraContent && { extraContent }),
  };
  if ('url' in source && /^https?:/i.test(source.url)) {
    const { type, parts, bytes } = await downloadResult(source.url, attempt, signal);
    return { type, bytes, base64: await toBase64(parts), ...rest };
  }
  const base64 = base64SlicesOf('url' in source ? source.url : source.base64, strings);
  const type = imageTypeOf(firstBytes(base64, markBytes));
  if (type === undefined) throw noImage(attempt);
  return { type, bytes: decodedLength(base64), base64, ...rest };
}

const noImage = ({ provider }: ImageAttempt): GatewayError =>
  new GatewayError('upstream_error', `${provider.id} sent something that is not a PNG, JPEG, GIF or WebP image.`, {
    domain: 'provider',
  });
