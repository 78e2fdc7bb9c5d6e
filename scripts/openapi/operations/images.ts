import { z } from 'zod';
import { imagesSchema } from '../answers/images.ts';
import type { DescribedOperation } from '../operation.ts';
import { editSchema, generationSchema } from '../../../services/image-svc/src/request/members.ts';
import { editRequestSchema } from '../../../services/image-svc/src/request/read-edit.ts';
import { noFallback, once, servedHeaders, serving } from './serving.ts';

const json = 'application/json';
const onlyBase64 = { response_format: z.literal('b64_json').optional() };

export const generationRequest = generationSchema.extend(onlyBase64);
export const editRequest = editRequestSchema;

const file = z.string().meta({ format: 'binary', description: 'PNG, JPEG, GIF or WebP.' });
export const editForm = editSchema.extend({
  image: z.union([file, z.array(file).max(16)]).describe('One image or several; `image[]` is taken too.'),
});

/** One red pixel. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

const answers = {
  200: { description: 'The images.', headers: servedHeaders, content: { [json]: { schema: imagesSchema } } },
};

export const imageOperations: readonly DescribedOperation[] = [
  {
    id: 'generateImages',
    method: 'POST',
    path: '/v1/images/generations',
    tag: 'Images',
    summary: 'Makes images of words.',
    description: `\`n\` beyond what a provider makes in one call is several calls. \`size\` is a wish: the nearest the model has is taken.
\`style\`, and \`quality\` where a model has none, are hints. \`response_format: "url"\`, \`mask\` and \`stream\` are refused with 400
\`unsupported_parameter\`. Fewer images than asked for are never silent: \`metadata.missing\` says why.`,
    access: 'key',
    parameters: [noFallback, ...once.slice(0, 1)],
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
    answers,
    failures: serving,
  },
  {
    id: 'editImages',
    method: 'POST',
    path: '/v1/images/edits',
    tag: 'Images',
    summary: 'Changes or joins images as words say.',
    description: 'As JSON, or as the form that clients of OpenAI send. 1 to 16 images; `mask` is refused.',
    access: 'key',
    parameters: [noFallback, ...once.slice(0, 1)],
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
    answers,
    failures: serving,
  },
];
