import { imageFamily } from '../images/image-family.ts';
import { asChat } from '../images/as-chat.ts';
import { inputsOf } from '../images/inputs.ts';
import { shapeFor } from '../images/requested-size.ts';
import type { ImageAbilities, ImageProvider } from '../spec/image-provider.ts';
import type { ChatProvider } from '../spec/provider.ts';
import { imagesInBody } from './image-answer.ts';
import { geminiRules } from './models.ts';

/** Image models of the generateContent API, requested as a chat, on every host that serves them. */
export const geminiImages = (chat: ChatProvider): ImageProvider =>
  imageFamily(chat, {
    abilities: ({ modelName }) => abilitiesOf(modelName, chat),
    request({ call, offer, abilities: { sizes } }) {
      const asked = asChat(call, shapeFor(call, sizes));
      // The image endpoints return only images; chats may return text too.
      const request = call.config === undefined ? { ...asked, modalities: ['image'] } : asked;
      return chat.request({ request, stream: false }, offer);
    },
    read: (body) => imagesInBody(body, chat.id),
    error: chat.error,
  });

function abilitiesOf(modelName: string, { imageLimits }: ChatProvider): ImageAbilities {
  const { aspectRatios = [], sizes = {} } = geminiRules(modelName).images ?? {};
  return {
    sizes: { kind: 'shape', aspectRatios, classes: sizes },
    mostPerCall: 1,
    config: ['aspect_ratio', 'image_size'],
    maxImages: 10,
    transparency: false,
    outputFormats: [],
    maxPromptLength: 100_000,
    inputs: inputsOf({ ...imageLimits, takes: 'inline', count: modelName.includes('2.5') ? 3 : 14 }),
  };
}
