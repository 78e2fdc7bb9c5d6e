import type { ImageAbilities, ImageCall, ImageStyle } from '../image-provider.ts';

/** What OpenAI's two styles mean, for models that have no styles. */
const sentences: Readonly<Record<ImageStyle, string>> = {
  vivid: 'The image is vivid: hyper-real and dramatic.',
  natural: 'The image is natural: true to life, not hyper-real.',
};

/** How the style of a request reaches the model; `undefined` if the request names none. */
export function styleOf({ style }: Pick<ImageCall, 'style'>, { styles }: Pick<ImageAbilities, 'styles'>) {
  if (style === undefined) return undefined;
  return { requested: style, applied_as: styles ? ('parameter' as const) : ('sentence' as const) };
}

/** The call as the model gets it: without styles of its own, the end of the prompt says the style. */
export function withStyle(call: ImageCall, { styles }: Pick<ImageAbilities, 'styles'>): ImageCall {
  const { style, ...rest } = call;
  if (style === undefined || styles) return call;
  return { ...rest, prompt: `${call.prompt.trimEnd()}\n\n${sentences[style]}` };
}
