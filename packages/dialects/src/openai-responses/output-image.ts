import type { AnswerImage } from '@tallyport/wire';
import type { OutputItems } from './output-items.ts';
import type { OutputImage } from './output-types.ts';

type KeepExtra = (itemId: string, extra: Record<string, unknown>) => void;

/** A generated image, as the call of a tool that this API has for it. */
export function sendImage(items: OutputItems, image: AnswerImage, keepExtra: KeepExtra): void {
  const head = { type: 'image_generation_call' as const, id: items.newId('ig') };
  if (image.extra_content !== undefined) keepExtra(head.id, image.extra_content);
  const place = items.open({ ...head, status: 'in_progress', result: null });
  for (const phase of ['in_progress', 'generating', 'completed'] as const) {
    items.emit(`response.image_generation_call.${phase}`, { ...place });
  }
  items.close(place, { ...head, status: 'completed', ...dataOf(image.image_url.url) });
}

const formats = { png: 'png', webp: 'webp', jpeg: 'jpeg', gif: 'gif', 'svg+xml': 'svg' } as const;
const isKnown = (type: string): type is keyof typeof formats => Object.hasOwn(formats, type);

/** Images are data URLs; one of another form is passed on as it is. */
function dataOf(url: string): Pick<OutputImage, 'result' | 'output_format'> {
  const [, type = '', data] = /^data:image\/([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (data === undefined) return { result: url };
  return { result: data, ...(isKnown(type) && { output_format: formats[type] }) };
}
