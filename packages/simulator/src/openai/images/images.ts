import { jsonReply, type Reply } from '../../answer.ts';
import { createImageEncoder } from '../../images/encoded.ts';
import type { ImageFormat } from '../../images/image.ts';
import { inputImageOf } from '../../images/input.ts';
import type { ImageOrder } from '../../images/order.ts';
import { sizeOf } from '../../images/size.ts';
import { isObject, objectsOf, parseJson, type JsonObject } from '../../json.ts';
import type { FamilySettings } from '../../model/settings.ts';
import type { ArrivedRequest, RouteAnswer } from '../../route.ts';
import { imageModel, plainProvider, type SimulatedProvider } from '../../sandbox.ts';
import { errorReply, invalidRequest, unknownModel, type ApiError } from '../errors.ts';
import { imagesAnswer } from './answer.ts';
import { readForm } from './form.ts';
import { findImageFault, type Operation } from './strictness.ts';

/** Answers `/images/generations` and `/images/edits`, the latter as JSON and as a form. */
export function createImages(settings: FamilySettings) {
  const encode = createImageEncoder();
  return (request: ArrivedRequest, provider: SimulatedProvider): RouteAnswer => {
    const operation: Operation = request.path.endsWith('/edits') ? 'edits' : 'generations';
    const body = readBody(request, operation);
    if (!isObject(body)) return { answer: errorReply(unreadable) };
    const model = typeof body.model === 'string' ? body.model : defaultModels[operation];
    const fault = findUnknownModel(model, provider) ?? findImageFault(body, { ...provider, operation });
    if (fault) return { model, answer: errorReply(fault) };
    const order = readOrder(body, provider.id);
    const n = typeof body.n === 'number' ? body.n : 1;
    const quality = typeof body.quality === 'string' && body.quality !== 'auto' ? body.quality : 'medium';
    return { model, images: n, answer: write({ created: settings.now(), order, n, quality }, encode) };
  };
}

const unreadable = invalidRequest('We could not parse the body of your request.', null);

const defaultModels: Readonly<Record<Operation, string>> = { generations: 'gpt-image-1', edits: 'gpt-image-1.5' };

function readBody({ headers, body }: ArrivedRequest, operation: Operation): unknown {
  const type = headers['content-type'];
  return operation === 'edits' && /^multipart\/form-data/i.test(type ?? '')
    ? readForm(body, type)
    : parseJson(body.toString());
}

function findUnknownModel(model: string, { id }: SimulatedProvider): ApiError | undefined {
  const known = id === plainProvider.id ? /^(gpt-image|chatgpt-image)/.test(model) : model === imageModel;
  return known && !model.includes('unknown') ? undefined : unknownModel(model);
}

const usual = { width: 1024, height: 1024 };

const formats: readonly ImageFormat[] = ['png', 'jpeg', 'webp'];

function readOrder(body: JsonObject, provider: string): ImageOrder {
  return {
    provider,
    prompt: String(body.prompt),
    inputs: objectsOf(body.images).flatMap((image) => inputImageOf(image.image_url) ?? []),
    size: sizeOf(body.size) ?? usual,
    format: formats.find((format) => format === body.output_format) ?? 'png',
    transparent: body.background === 'transparent',
    seed: body.seed,
  };
}

const write = (...script: Parameters<typeof imagesAnswer>): Reply => jsonReply(200, imagesAnswer(...script));
