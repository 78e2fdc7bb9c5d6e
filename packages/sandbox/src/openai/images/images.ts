import { jsonReply, streamReply } from '../../answer.ts';
import { createImageEncoder } from '../../images/encoded.ts';
import { type PictureFormat, generatedSize } from '../../images/image.ts';
import { inputImageOf } from '../../images/input.ts';
import type { ImageOrder } from '../../images/order.ts';
import { sizeOf } from '../../images/size.ts';
import { isObject, objectsOf, jsonOf, type JsonObject } from '../../json.ts';
import { paceOf } from '../../model/pace.ts';
import type { FamilySettings } from '../../model/settings.ts';
import type { ArrivedRequest, RouteAnswer } from '../../route.ts';
import { openAiErrorReply, invalidRequest } from '../errors.ts';
import type { ImagesOperation, OpenAiProvider } from '../provider.ts';
import { imagesAnswer } from './answer.ts';
import { readMultipart } from './form.ts';
import { imagesStream } from './stream.ts';

/** Serves `/images/generations` and `/images/edits`, the latter as JSON and as a form. */
export function createImages(provider: OpenAiProvider, settings: FamilySettings) {
  const encode = createImageEncoder();
  return (request: ArrivedRequest): RouteAnswer => {
    const operation: ImagesOperation = request.path.endsWith('/edits') ? 'edits' : 'generations';
    const body = readBody(request, operation);
    if (!isObject(body)) return { answer: openAiErrorReply(unreadable) };
    const model = typeof body.model === 'string' && { model: body.model };
    const refusal = provider.refuseImages(body, operation);
    if (refusal) return { ...model, answer: openAiErrorReply(refusal) };
    const order = readOrder(body, provider.id);
    const n = typeof body.n === 'number' ? body.n : 1;
    const quality = typeof body.quality === 'string' && body.quality !== 'auto' ? body.quality : 'medium';
    const script = { created: settings.now(), order, n, quality };
    if (body.stream !== true) return { ...model, images: n, answer: jsonReply(200, imagesAnswer(script, encode)) };
    const pieces = imagesStream({ script, operation, partials: Number(body.partial_images ?? 0) }, encode);
    const pace = paceOf(String(body.model), settings.chunksPerSecond);
    return { ...model, images: n, answer: streamReply(pieces, pace) };
  };
}

const unreadable = invalidRequest('We could not parse the body of your request.', null);

function readBody({ headers, body }: ArrivedRequest, operation: ImagesOperation): unknown {
  const type = headers['content-type'];
  return operation === 'edits' && /^multipart\/form-data/i.test(type ?? '')
    ? readMultipart(body, type)
    : jsonOf(body.toString());
}

const usual = { width: 1024, height: 1024 };

const formats: readonly PictureFormat[] = ['png', 'jpeg', 'webp'];

function readOrder(body: JsonObject, provider: string): ImageOrder {
  const format = formats.find((known) => known === body.output_format) ?? 'png';
  return {
    provider,
    prompt: String(body.prompt),
    inputs: [...objectsOf(body.images), ...objectsOf([body.mask])].flatMap(
      (image) => inputImageOf(image.image_url) ?? [],
    ),
    size: generatedSize(sizeOf(body.size) ?? usual, format),
    format,
    transparent: body.background === 'transparent',
    seed: body.seed,
  };
}
