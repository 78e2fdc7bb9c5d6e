import type { OtherModelUsage } from '@tallyport/wire';
import { items, type Members, members, text } from '../../read.ts';
import { tokenCount } from '../../token-counts.ts';

/** Draws for the hosted tool unless the request names another one. */
const usualModel = 'gpt-image-2';

/** The tokens of hosted image generation, by the model that the response repeats from its request. */
export function imageToolUsage(body: Members): OtherModelUsage | undefined {
  const raw = members(members(body.tool_usage).image_gen);
  const prompt = tokenCount(raw.input_tokens) ?? 0;
  const completion = tokenCount(raw.output_tokens) ?? 0;
  if (prompt + completion === 0) return undefined;
  const tool = items(body.tools)
    .map(members)
    .find(({ type }) => type === 'image_generation');
  return {
    for: 'image_generation',
    model: text(tool?.model) ?? usualModel,
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      prompt_tokens_details: {
        cached_tokens: tokenCount(raw.cached_tokens) ?? 0,
        image_tokens: imagesIn(raw.input_tokens_details),
      },
      // Without details, all that it makes is an image.
      completion_tokens_details: {
        image_tokens: raw.output_tokens_details === undefined ? completion : imagesIn(raw.output_tokens_details),
      },
    },
  };
}

const imagesIn = (details: unknown): number => tokenCount(members(details).image_tokens) ?? 0;
