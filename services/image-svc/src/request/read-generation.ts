import type { IncomingExchange } from '@switchyard/bus';
import { GatewayError } from '@switchyard/contracts';
import { textWithLongStrings } from '@switchyard/wire';
import type { ImageRequest } from './image-request.ts';
import { type JsonBody, readJsonBody } from './json-body.ts';
import { checked, generationSchema, refuseUnsupported, wishesOf } from './members.ts';
import type { UploadBounds } from './body-pieces.ts';

/** `POST /v1/images/generations`. */
export async function readGeneration({ head, body }: IncomingExchange, bounds: UploadBounds): Promise<ImageRequest> {
  if (/^multipart\//i.test(head.headers['content-type'] ?? '')) throw notAForm();
  const read = await readJsonBody(body, bounds);
  const { strings } = read;
  refuseUnsupported(read.members);
  const members = checked(generationSchema, withLongPrompt(read));
  return {
    model: members.model,
    call: { operation: 'generate', images: [], ...wishesOf(members) },
    strings,
    imagePaths: [],
  };
}

/** A prompt is read, however long it is. */
export function withLongPrompt({ members, strings }: JsonBody): Readonly<Record<string, unknown>> {
  const { prompt } = members;
  if (typeof prompt !== 'string' || strings.byPlaceholder.size === 0) return members;
  return { ...members, prompt: Buffer.concat(textWithLongStrings(prompt, strings)).toString() };
}

const notAForm = (): GatewayError =>
  new GatewayError('unsupported_media_type', 'This takes application/json. To give images, use /v1/images/edits.');
