import { z } from 'zod';
import { editEventSchema, generationEventSchema, imagesSchema } from '../answers/images.ts';
import type { DescribedOperation } from '../operation.ts';
import { editSchema, generationSchema } from '../../../services/image-svc/src/request/members.ts';
import { editRequestSchema } from '../../../services/image-svc/src/request/read-edit.ts';
import { fallback, noFallback, once, servedHeaders, serving } from './serving.ts';

const json = 'application/json';
const onlyBase64 = { response_format: z.literal('b64_json').optional() };

export const generationRequest = generationSchema.extend(onlyBase64);
export const editRequest = editRequestSchema;

const file = z.string().meta({ format: 'binary', description: 'PNG, JPEG, GIF or WebP.' });
export const editForm = editSchema.extend({
  image: z.union([file, z.array(file).max(16)]).describe('One image or several; `image[]` works, too.'),
  mask: file
    .optional()
    .describe(
      'An extension, for models that have masks: a PNG of the size of the first image, transparent where it may change.',
    ),
});

/** One red pixel. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

const answersWith = (event: z.ZodType) => ({
  200: {
    description: 'The images; with `stream`, events.',
    headers: servedHeaders,
    content: { [json]: { schema: imagesSchema }, 'text/event-stream': { schema: event, events: true as const } },
  },
});

export const imageOperations: readonly DescribedOperation[] = [
  {
    id: 'generateImages',
    method: 'POST',
    path: '/v1/images/generations',
    tag: 'Images',
    summary: 'Makes images from a prompt.',
    description: `If a provider makes fewer than \`n\` images per call, the gateway makes several calls. If the model does not
make \`size\`, the nearest ratio is made, cropped and scaled, up to 4096x4096 pixels; \`metadata.images\` says how. A model
without \`style\` gets it as a sentence of the prompt, which \`metadata.style\` reports; \`quality\` is a hint if the model has
none. \`response_format: "url"\` is refused with 400 \`unsupported_parameter\`. If there are fewer images than requested, \`metadata.missing\` says why. With
\`stream\`, images are sent as events, after up to three \`partial_images\` each if the provider has them.`,
    access: 'key',
    parameters: [fallback, noFallback, ...once],
    body: {
      [json]: {
        schema: generationRequest,
        examples: {
          one: { summary: 'One image', value: { model: 'sandbox-image', prompt: 'A red lighthouse' } },
          two: {
            summary: 'Two, wide, as JPEG',
            value: {
              model: 'sandbox-image',
              prompt: 'A red lighthouse',
              n: 2,
              size: '1536x1024',
              output_format: 'jpeg',
            },
          },
        },
      },
    },
    answers: answersWith(generationEventSchema),
    failures: serving,
  },
  {
    id: 'editImages',
    method: 'POST',
    path: '/v1/images/edits',
    tag: 'Images',
    summary: 'Edits or combines images by a prompt.',
    description: `Takes JSON or the form that OpenAI clients send, with 1 to 16 images. \`mask\` and \`style\` are extensions of the
interface: a request with a \`mask\` is sent only to providers that have masks, and refused with 400 if the model has none.
\`stream\`, \`size\` and \`style\` work as in generations.`,
    access: 'key',
    parameters: [fallback, noFallback, ...once],
    body: {
      [json]: {
        schema: editRequest,
        examples: {
          one: {
            summary: 'One image changed',
            value: { model: 'sandbox-image', prompt: 'Make it blue', images: [{ image_url: pixel }] },
          },
        },
      },
      'multipart/form-data': { schema: editForm },
    },
    answers: answersWith(editEventSchema),
    failures: serving,
  },
];
