import type { ChatRequest } from '@tallyport/wire';
import type { ImageCall } from '../spec/image-provider.ts';
import { imageUrl } from './inputs.ts';
import type { Shape } from './sizes.ts';

/** An image request as a chat, for models with a chat API. Translation sets the model's name. */
export function asChat(call: ImageCall, { aspectRatio, imageSize }: Shape): ChatRequest {
  const config = { ...(aspectRatio && { aspect_ratio: aspectRatio }), ...(imageSize && { image_size: imageSize }) };
  return {
    model: 'image',
    messages: call.conversation === undefined ? [question(call)] : [...call.conversation],
    modalities: ['image', 'text'],
    ...(Object.keys(config).length > 0 && { image_config: config }),
    ...(call.user && { user: call.user }),
  };
}

/** Images precede the text about them. */
const question = ({ images, prompt }: ImageCall): ChatRequest['messages'][number] => ({
  role: 'user',
  content: [
    ...images.map((image) => ({ type: 'image_url' as const, image_url: { url: imageUrl(image) } })),
    { type: 'text', text: prompt },
  ],
});
