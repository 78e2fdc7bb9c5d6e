import type { IncomingExchange } from '@tallyport/bus';
import { imageEditMembers, imageEditRequest, mostEditedImages } from '@tallyport/endpoints';
import type { Pixels } from '@tallyport/pixels';
import { type AskedRouting, askedRouting, type GuardrailTools, guardTexts, routingInForm } from '@tallyport/serving';
import { mergedLongStrings, withAddressedModel } from '@tallyport/wire';
import type { z } from 'zod';
import { readImageForm } from './form-body.ts';
import type { ImageRequest } from './image-request.ts';
import { type GivenImage, readInput, type ReadInput } from './input-image.ts';
import { readJsonBody } from './json-body.ts';
import { checked, invalidMember, refuseUnsupported, callOptionsOf } from './members.ts';
import { withLongPrompt } from './read-generation.ts';
import type { UploadBounds } from './body-pieces.ts';

interface EditTools {
  pixels: Pixels;
  guardrails: GuardrailTools;
}

/** Reads `POST /v1/images/edits`, as JSON or as the form that OpenAI's clients send. */
export async function readEdit(
  exchange: IncomingExchange,
  bounds: UploadBounds,
  tools: EditTools,
): Promise<ImageRequest> {
  const isForm = /^multipart\//i.test(exchange.head.headers['content-type'] ?? '');
  return isForm ? readFormEdit(exchange, bounds, tools) : readJsonEdit(exchange, bounds, tools.pixels);
}

async function readJsonEdit(
  { head, body }: IncomingExchange,
  bounds: UploadBounds,
  pixels: Pixels,
): Promise<ImageRequest> {
  const read = await readJsonBody(body, bounds);
  refuseUnsupported(read.members);
  const { body: asked, ...routing } = askedRouting(withAddressedModel(withLongPrompt(read), head.model), head);
  const members = checked(imageEditRequest, asked);
  const given = (url: string, path: string): GivenImage => ({ kind: 'url', url, strings: read.strings, path });
  return asRequest(
    { members, routing, pixels },
    {
      images: members.images.map(({ image_url: url }, at) => given(url, `images[${at}].image_url`)),
      mask: members.mask ? given(members.mask.image_url, 'mask.image_url') : undefined,
    },
  );
}

async function readFormEdit(
  exchange: IncomingExchange,
  bounds: UploadBounds,
  { pixels, guardrails }: EditTools,
): Promise<ImageRequest> {
  const form = await readImageForm(exchange.body, {
    contentType: exchange.head.headers['content-type'] ?? '',
    mostFiles: mostEditedImages,
    bounds,
  });
  refuseUnsupported(form.fields);
  const fields = { ...form.fields, ...routingInForm(form.routing) };
  const guarded = await guardTexts(guardrails, exchange, fields);
  const { body: asked, ...routing } = askedRouting(withAddressedModel(guarded, exchange.head.model), exchange.head);
  const members = checked(imageEditMembers, asked);
  if (form.files.length === 0) throw invalidMember('image', 'must be one or more files');
  return asRequest(
    { members, routing, pixels },
    {
      images: form.files.map((base64, at) => ({ kind: 'file', base64, path: `image[${at}]` })),
      mask: form.mask && { kind: 'file', base64: form.mask, path: 'mask' },
    },
  );
}

interface GivenImages {
  images: readonly GivenImage[];
  mask: GivenImage | undefined;
}

interface ReadMembers {
  members: z.output<typeof imageEditMembers>;
  routing: Pick<AskedRouting, 'standIns' | 'preferences'>;
  pixels: Pixels;
}

async function asRequest({ members, routing, pixels }: ReadMembers, given: GivenImages): Promise<ImageRequest> {
  const inputs = await Promise.all(given.images.map((each) => readInput(each, pixels)));
  const mask = given.mask && (await readMask(given.mask, pixels));
  const images = inputs.map(({ image }) => image);
  const read = mask === undefined ? inputs : [...inputs, mask];
  return {
    model: members.model,
    stream: members.stream === true,
    call: { operation: 'edit', images, ...(mask && { mask: mask.image }), ...callOptionsOf(members) },
    endUser: members,
    strings: mergedLongStrings(read.map(({ strings }) => strings)),
    imagePaths: given.images.map(({ path }) => path),
    standIns: routing.standIns,
    preferences: routing.preferences,
  };
}

/** Throws `invalid_parameters` if the mask has no transparency, because it has another format. */
async function readMask(given: GivenImage, pixels: Pixels): Promise<ReadInput> {
  const mask = await readInput(given, pixels);
  if ('url' in mask.image || mask.image.mediaType === 'image/png') return mask;
  throw invalidMember(given.path, 'must be a PNG image');
}
