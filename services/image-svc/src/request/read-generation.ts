import type { IncomingExchange } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { imageGenerationRequest } from '@tallyport/endpoints';
import { askedRouting } from '@tallyport/serving';
import { textWithLongStrings, withAddressedModel } from '@tallyport/wire';
import type { ImageRequest } from './image-request.ts';
import { type JsonBody, readJsonBody } from './json-body.ts';
import { callOptionsOf, checked, refuseForGenerations } from './members.ts';
import type { UploadBounds } from './body-pieces.ts';

/** Reads `POST /v1/images/generations`. */
export async function readGeneration({ head, body }: IncomingExchange, bounds: UploadBounds): Promise<ImageRequest> {
  if (/^multipart\//i.test(head.headers['content-type'] ?? '')) throw notAForm();
  const read = await readJsonBody(body, bounds);
  const { strings } = read;
  refuseForGenerations(read.members);
  const {
    body: asked,
    standIns,
    preferences,
  } = askedRouting(withAddressedModel(withLongPrompt(read), head.model), head);
  const members = checked(imageGenerationRequest, asked);
  return {
    model: members.model,
    stream: members.stream === true,
    call: { operation: 'generate', images: [], ...callOptionsOf(members) },
    endUser: members,
    strings,
    imagePaths: [],
    standIns,
    preferences,
  };
}

/** Restores a long prompt from its placeholder. */
export function withLongPrompt({ members, strings }: JsonBody): Readonly<Record<string, unknown>> {
  const { prompt } = members;
  if (typeof prompt !== 'string' || strings.byPlaceholder.size === 0) return members;
  return { ...members, prompt: Buffer.concat(textWithLongStrings(prompt, strings)).toString() };
}

const notAForm = (): GatewayError =>
  new GatewayError('unsupported_media_type', 'Send application/json. To send images, use /v1/images/edits.');
