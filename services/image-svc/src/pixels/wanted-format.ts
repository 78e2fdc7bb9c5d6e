import type { MadeImage } from '@switchyard/dispatch';
import type { ImageAbilities, ImageCall, ImageFormat } from '@switchyard/providers';
import type { WantedFormat } from './pixels.ts';

/** What an image has to be converted to; `undefined` where it is already what the client asked for. */
export function wantedFormat(
  { type }: Pick<MadeImage, 'type'>,
  call: Pick<ImageCall, 'outputFormat' | 'outputCompression'>,
  { outputFormats }: Pick<ImageAbilities, 'outputFormats'>,
): WantedFormat | undefined {
  const format: ImageFormat = call.outputFormat ?? 'png';
  const quality = format === 'png' ? undefined : call.outputCompression;
  // Who makes the format makes it as small as was asked, too.
  const asAsked = type === `image/${format}` && (quality === undefined || outputFormats.includes(format));
  return asAsked ? undefined : { format, quality };
}
