import type { AnswerImage, CompletionChoice, Usage } from '@tallyport/wire';
import type { ImageAbilities, ImageContext, ImagePart } from '../spec/image-provider.ts';
import { asChat } from '../images/as-chat.ts';
import { named } from '../images/entry.ts';
import { imageFamily } from '../images/image-family.ts';
import { inputsOf } from '../images/inputs.ts';
import { type ImagesInAnswer, refusedImage } from '../images/result.ts';
import { imagesUsage, splitTokens } from '../images/usage.ts';
import { shapeFor } from '../images/requested-size.ts';
import { geminiRules } from '../google/models.ts';
import type { ChatCall } from '../spec/provider.ts';
import { type Members, text } from '../read.ts';
import { openrouter as chat } from './chat.ts';

/** Image models of other vendors, requested through the chat API. Shapes are those of Google's models. */
const abilitiesOf = (modelName: string): ImageAbilities => {
  const { aspectRatios = [], sizes = {} } = geminiRules(modelName).images ?? {};
  return {
    sizes: aspectRatios.length === 0 ? { kind: 'none' } : { kind: 'shape', aspectRatios, classes: sizes },
    mostPerCall: 1,
    config: aspectRatios.length === 0 ? [] : ['aspect_ratio', 'image_size'],
    maxImages: 10,
    transparency: false,
    outputFormats: [],
    maxPromptLength: 100_000,
    inputs: inputsOf({}),
  };
};

export const openrouterImage = imageFamily(chat, {
  abilities: ({ modelName }) => abilitiesOf(modelName),
  request({ call, offer, abilities: { sizes } }) {
    const request = asChat(call, shapeFor(call, sizes));
    return chat.request(chatCall(request), offer);
  },
  read,
  error: chat.error,
});

const chatCall = (request: ChatCall['request']): ChatCall => ({ request, stream: false });

function read(body: Members, { call, offer }: ImageContext): ImagesInAnswer {
  const context = { call: chatCall(asChat(call, {})), offer, completionId: '', created: 0 };
  const { choices, usage } = chat.response(body, context);
  const [choice] = choices;
  const images = choice?.message.images ?? [];
  return {
    kind: 'made',
    images: images.map(partOf),
    failures: choice !== undefined && isRefused(choice) ? [refusedImage(chat.id, choice.message.refusal)] : [],
    ...named('text', text(choice?.message.content)),
    ...named('usage', usage && usageOf(usage)),
  };
}

const isRefused = ({ message: { images = [], refusal }, finish_reason: reason }: CompletionChoice): boolean =>
  refusal !== null || (reason === 'content_filter' && images.length === 0);

const partOf = ({ image_url: { url }, extra_content: extraContent }: AnswerImage): ImagePart => ({
  source: { url },
  ...named('extraContent', extraContent),
});

const usageOf = ({ prompt_tokens: input, completion_tokens: output, ...rest }: Usage) => ({
  ...imagesUsage({
    input,
    output,
    inputDetails: splitTokens(input, rest.prompt_tokens_details?.image_tokens),
    outputDetails: splitTokens(output, rest.completion_tokens_details?.image_tokens),
  }),
  ...named('cost', rest.cost),
});
