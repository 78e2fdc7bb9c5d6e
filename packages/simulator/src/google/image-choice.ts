import {
  emptyChoice,
  mediaTypeOf,
  type ImageSpec,
  inputImageOf,
  imageSpecOf,
  type ImageOrder,
  hasImageDirective,
  isObject,
  objectsOf,
  type JsonObject,
  type Choice,
  type ChatQuestion,
} from '@tallyport/sandbox';
import { partsOf } from './content-strictness.ts';
import { requestedImage, type ImageRules } from './image-models.ts';

/** The answer of an image model: its content, an end that chats do not have, and the tokens of its images. */
interface ImageChoice {
  readonly choice: Choice;
  readonly imageTokens: number;
  readonly ending?: ImageEnding;
}

export interface ImageEnding {
  readonly finishReason: string;
  readonly finishMessage?: string;
}

interface GoogleImageRequest {
  readonly question: ChatQuestion;
  readonly body: JsonObject;
  readonly provider: string;
  readonly rules: ImageRules;
  readonly encode: (wish: ImageSpec) => string;
}

/** Composes one image, with a text unless only images are requested; or no image, with the reason. */
export function composeImage(asked: GoogleImageRequest): ImageChoice {
  const { lastText: prompt } = asked.question;
  if (hasImageDirective(prompt, 'safety')) return without('IMAGE_SAFETY', 'Unable to show the generated image.');
  if (hasImageDirective(prompt, 'no-image')) return without('NO_IMAGE', 'The model did not generate an image.');
  if (hasImageDirective(prompt, 'text-only'))
    return { choice: { ...emptyChoice, content: 'I can only talk about it.' }, imageTokens: 0 };
  const { order, tokens, onlyImage } = readOrder(asked);
  const imageOf = (wish: ImageSpec) => ({ mediaType: mediaTypeOf(order.format), base64: asked.encode(wish) });
  const drafts = hasImageDirective(prompt, 'draft') ? [{ ...imageOf(imageSpecOf(order, 1)), draft: true }] : [];
  const content = onlyImage ? null : 'Here is a simulated image.';
  const images = [...drafts, imageOf(imageSpecOf(order, 0))];
  const reasoning = drafts.length > 0 ? 'I draw it once to see how it looks.' : '';
  return { choice: { ...emptyChoice, reasoning, content, images }, imageTokens: tokens };
}

const without = (finishReason: string, finishMessage: string): ImageChoice => ({
  choice: { ...emptyChoice, refusal: finishMessage, finishReason: 'refusal' },
  imageTokens: 0,
  ending: { finishReason, finishMessage },
});

function readOrder({ question, body, provider, rules }: GoogleImageRequest) {
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  const { size, tokens } = requestedImage(isObject(config.imageConfig) ? config.imageConfig : {}, rules);
  const given = objectsOf(body.contents).flatMap((content) => partsOf(content, 'inlineData'));
  const inputs = given.flatMap(({ inlineData: data }) =>
    isObject(data) ? (inputImageOf(`data:${String(data.mimeType)};base64,${String(data.data)}`) ?? []) : [],
  );
  const { responseModalities: wanted } = config;
  const order: ImageOrder = {
    provider,
    prompt: question.lastText,
    inputs,
    size,
    seed: config.seed,
    format: 'png',
  };
  return { order, tokens, onlyImage: Array.isArray(wanted) && !wanted.includes('TEXT') };
}
