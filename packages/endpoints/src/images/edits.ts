import { z } from 'zod';
import { form, json } from '../content-types.ts';
import type { EndpointDescription } from '../description.ts';
import { editEventSchema, answersOfImages } from './answer.ts';
import { routingFields, routingHeaders } from '../routing-members.ts';
import { commonMembers, givenOneOf } from './members.ts';

export const mostEditedImages = 16;
const howMany = `must be a list of 1 to ${mostEditedImages} images`;

/** What the JSON and the form of an edit have besides images. */
export const imageEditMembers = z.looseObject({
  ...commonMembers,
  style: commonMembers.style.describe(
    'An extension. Without `style` of its own, the model gets it as a sentence of the prompt.',
  ),
  input_fidelity: givenOneOf(['high', 'low']).describe(
    'How closely to follow the input images, if the model supports it.',
  ),
  quality: givenOneOf(['low', 'medium', 'high', 'xhigh', 'max', 'auto']),
  size: givenOneOf(['auto', '1024x1024', '1536x1024', '1024x1536']),
});

const image = z.looseObject(
  { image_url: z.string('must be an https URL or a base64 data URL') },
  'must be {"image_url": "…"}',
);

const ofMask =
  'An extension, for models that have masks: a PNG of the size of the first image, transparent where it may change.';

export const imageEditRequest = imageEditMembers.extend({
  images: z
    .array(image, howMany)
    .min(1, howMany)
    .max(mostEditedImages, howMany)
    .describe('Each is an https URL or a base64 data URL.'),
  mask: image.nullish().describe(ofMask),
});

const file = z.string().meta({ format: 'binary', description: 'PNG, JPEG, GIF or WebP.' });

/** As the document shows it; the service reads the members and counts the files. */
export const imageEditForm = imageEditMembers.extend({
  image: z.union([file, z.array(file).max(mostEditedImages)]).describe('One image or several; `image[]` works, too.'),
  ...routingFields,
  mask: file.optional().describe(ofMask),
});

/** One red pixel. */
const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

const example = { model: 'sandbox-image', prompt: 'Make it blue', images: [{ image_url: pixel }] };

export const imageEditsDescription: EndpointDescription = {
  id: 'editImages',
  tag: 'Images',
  summary: 'Edits or combines images by a prompt.',
  description: `Takes JSON or the form that OpenAI clients send, with 1 to 16 images. \`mask\` and \`style\` are extensions of the
interface: a request with a \`mask\` is sent only to providers that have masks, and refused with 400 if the model has none.
\`stream\`, \`size\` and \`style\` work as in generations.`,
  headers: [...routingHeaders, 'Last-Event-ID'],
  body: {
    [json]: { schema: imageEditRequest, examples: { one: { summary: 'One image changed', value: example } } },
    [form]: { schema: imageEditForm },
  },
  answers: answersOfImages(editEventSchema),
};
