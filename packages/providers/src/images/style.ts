import type { ImageAbilities, ImageCall, ImageStyle } from '../spec/image-provider.ts';

/** What OpenAI's two styles mean, for models that have no styles. */
const sentences: Readonly<Record<ImageStyle, string>> = {
  vivid: 'The image is vivid: hyper-real and dramatic.',
  natural: 'The image is natural: true to life, not hyper-real.',
};

/** How the style of a request reaches a model, as the response reports it. */
export interface AppliedStyle {
  readonly requested: ImageStyle;
  readonly applied_as: 'parameter' | 'sentence';
}

/** `undefined` if the request names no style. */
export const styleOf = (
  { style }: Pick<ImageCall, 'style'>,
  { styles }: Pick<ImageAbilities, 'styles'>,
): AppliedStyle | undefined => style && { requested: style, applied_as: styles ? 'parameter' : 'sentence' };

/** The call as the model gets it: without styles of its own, the end of the prompt says the style. */
export function withStyle(call: ImageCall, { styles }: Pick<ImageAbilities, 'styles'>): ImageCall {
  const { style, ...rest } = call;
  if (style === undefined || styles) return call;
  return { ...rest, prompt: `${call.prompt.trimEnd()}\n\n${sentences[style]}` };
}
