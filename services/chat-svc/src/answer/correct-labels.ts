import { type AnswerImage, imageTypeOfBase64, type LongStrings, markCharacters } from '@tallyport/wire';

/** Corrects the labels of images: some vendors say PNG and send JPEG. Anything that is not an image is unchanged. */
export function withCorrectLabels(images: AnswerImage[], strings?: LongStrings): AnswerImage[] {
  return Array.isArray(images) ? images.map((image) => withCorrectLabel(image, strings)) : images;
}

/** The vendor fills this member, so it may hold anything. */
function withCorrectLabel(image: AnswerImage, strings: LongStrings | undefined): AnswerImage {
  const given: unknown = image?.image_url?.url;
  if (typeof given !== 'string') return image;
  const url = correctLabel(given, strings);
  return url === given ? image : { ...image, image_url: { ...image.image_url, url } };
}

function correctLabel(url: string, strings: LongStrings | undefined): string {
  const [head, label] = /^data:([^;,]{1,100});base64,/i.exec(url.slice(0, 128)) ?? [];
  if (head === undefined) return url;
  const base64 = url.slice(head.length);
  const type = imageTypeOfBase64(beginning(base64, strings));
  return type === undefined || type === label ? url : `data:${type};base64,${base64}`;
}

/** Large images are represented by a placeholder. */
function beginning(base64: string, strings: LongStrings | undefined): string {
  const kept = strings?.byPlaceholder.get(base64);
  return kept === undefined ? base64 : startOf(kept);
}

function startOf(slices: readonly Buffer[]): string {
  let text = '';
  for (const slice of slices) {
    text += slice.toString('latin1', 0, markCharacters - text.length);
    if (text.length >= markCharacters) break;
  }
  return text;
}
