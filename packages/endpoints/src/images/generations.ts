import { z } from 'zod';
import { json } from '../content-types.ts';
import type { EndpointDescription } from '../description.ts';
import { generationEventSchema, answersOfImages } from './answer.ts';
import { routingHeaders } from '../routing-members.ts';
import { commonMembers, given, memberText } from './members.ts';

export const imageGenerationRequest = z.looseObject({
  ...commonMembers,
  style: commonMembers.style.describe('Without `style` of its own, the model gets it as a sentence of the prompt.'),
  size: given(memberText).describe('`auto` or WIDTHxHEIGHT.'),
  quality: given(memberText).describe('One of the qualities of the model, if it has any.'),
  response_format: z.literal('b64_json').nullish(),
});

const prompt = { model: 'sandbox-image', prompt: 'A red lighthouse' };

export const imageGenerationsDescription: EndpointDescription = {
  id: 'generateImages',
  tag: 'Images',
  summary: 'Makes images from a prompt.',
  description: `If a provider makes fewer than \`n\` images per call, the gateway makes several calls. If the model does not
make \`size\`, the nearest ratio is made, cropped and scaled, up to 4096x4096 pixels; \`metadata.images\` says how. A model
without \`style\` gets it as a sentence of the prompt, which \`metadata.style\` reports; \`quality\` is a hint if the model has
none. \`response_format: "url"\` is refused with 400 \`unsupported_parameter\`. If there are fewer images than requested, \`metadata.missing\` says why. With several \`models\`, the next one is asked only
while no vendor can have made an image. With \`stream\`, images are sent as events, after up to three \`partial_images\` each if the provider has them.`,
  headers: [...routingHeaders, 'Last-Event-ID'],
  body: {
    [json]: {
      schema: imageGenerationRequest,
      examples: {
        one: { summary: 'One image', value: prompt },
        two: { summary: 'Two, wide, as JPEG', value: { ...prompt, n: 2, size: '1536x1024', output_format: 'jpeg' } },
      },
    },
  },
  answers: answersOfImages(generationEventSchema),
};
