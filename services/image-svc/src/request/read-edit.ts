import type { IncomingExchange } from '@switchyard/bus';
import { longStrings, mergedLongStrings } from '@switchyard/wire';
import { z } from 'zod';
import type { Pixels } from '../pixels/pixels.ts';
import { readImageForm } from './form-body.ts';
import type { ImageRequest } from './image-request.ts';
import { type GivenImage, readInput } from './input-image.ts';
import { readJsonBody } from './json-body.ts';
import { checked, editSchema, invalidMember, refuseUnsupported, wishesOf } from './members.ts';
import { withLongPrompt } from './read-generation.ts';
import type { UploadBounds } from './body-pieces.ts';

const mostImages = 16;
const howMany = `must be a list of 1 to ${mostImages} images`;

export const editRequestSchema = editSchema.extend({
  images: z
    .array(
      z.looseObject({ image_url: z.string('must be an https URL or a base64 data URL') }, 'must be {"image_url": "…"}'),
      howMany,
    )
    .min(1, howMany)
    .max(mostImages, howMany),
});

/** `POST /v1/images/edits`, as JSON or as the form that OpenAI's clients send. */
export async function readEdit(
  exchange: IncomingExchange,
  bounds: UploadBounds,
  pixels: Pixels,
): Promise<ImageRequest> {
  const isForm = /^multipart\//i.test(exchange.head.headers['content-type'] ?? '');
  return isForm ? readFormEdit(exchange, bounds, pixels) : readJsonEdit(exchange, bounds, pixels);
}

async function readJsonEdit({ body }: IncomingExchange, bounds: UploadBounds, pixels: Pixels): Promise<ImageRequest> {
  const read = await readJsonBody(body, bounds);
  refuseUnsupported(read.members);
  const members = checked(editRequestSchema, withLongPrompt(read));
  const given = members.images.map(({ image_url: url }, at): GivenImage => ({
    kind: 'url',
    url,
    strings: read.strings,
    path: `images[${at}].image_url`,
  }));
  return asRequest(members, given, pixels);
}

async function readFormEdit(
  { head, body }: IncomingExchange,
  bounds: UploadBounds,
  pixels: Pixels,
): Promise<ImageRequest> {
  const form = await readImageForm(body, {
    contentType: head.headers['content-type'] ?? '',
    mostFiles: mostImages,
    bounds,
  });
  refuseUnsupported(form.fields);
  const members = checked(editSchema, form.fields);
  if (form.files.length === 0) throw invalidMember('image', 'must be a file, or several');
  const given = form.files.map((base64, at): GivenImage => ({ kind: 'file', base64, path: `image[${at}]` }));
  return asRequest(members, given, pixels);
}

async function asRequest(
  members: z.output<typeof editSchema>,
  given: readonly GivenImage[],
  pixels: Pixels,
): Promise<ImageRequest> {
  const inputs = await Promise.all(given.map((each) => readInput(each, pixels)));
  const images = inputs.map(({ image }) => image);
  return {
    model: members.model,
    call: { operation: 'edit', images, ...wishesOf(members) },
    strings: inputs.length === 0 ? longStrings('none', []) : mergedLongStrings(inputs.map(({ strings }) => strings)),
    imagePaths: given.map(({ path }) => path),
  };
}
