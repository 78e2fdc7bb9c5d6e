import {
  type ApiError,
  type ArrivedRequest,
  bearerOf,
  type FamilySettings,
  invalidRequest,
  isAcceptedKey,
  isObject,
  type JsonObject,
  jsonOf,
  meteredInput,
  jsonReply,
  type RouteAnswer,
  vectorOf,
  type VendorRoute,
} from '@tallyport/sandbox';
import { dialectOf, refusalOf, wordedFor } from '../compatible/dialect.ts';
import type { CompatibleVendor } from '../compatible/vendor.ts';
import { notJson, unknownMember, unsupported } from '../refusals.ts';
import { quantised } from '../quantised.ts';
import { type EmbeddingVendor, embeddingVendors } from './vendors.ts';

/** The embeddings of vendors with formats of their own. */
export const embeddingRoutes = ({ apiKeys }: FamilySettings): VendorRoute[] =>
  embeddingVendors.map((embedding): VendorRoute => {
    const vendor: CompatibleVendor = { id: embedding.id, errorBody: ({ message }) => embedding.errorBody(message) };
    return {
      method: 'POST',
      path: new RegExp(`^${embedding.path}$`),
      provider: embedding.id,
      faulty: true,
      dialect: dialectOf(vendor),
      answer: (request) =>
        isAcceptedKey(bearerOf(request.headers), apiKeys)
          ? answer(request, embedding, vendor)
          : { answer: refusalOf(vendor, wordedFor(vendor, 401)) },
    };
  });

function answer({ body: bytes }: ArrivedRequest, embedding: EmbeddingVendor, vendor: CompatibleVendor): RouteAnswer {
  const body = jsonOf(bytes.toString());
  if (!isObject(body)) return { answer: refusalOf(vendor, notJson) };
  const model = String(body.model);
  const texts = embedding.texts(body) ?? [];
  const type = String([body[embedding.types.member] ?? 'float'].flat()[0]);
  const fault = findFault({ body, model, texts, type }, embedding, vendor);
  if (fault !== undefined) return { model, answer: refusalOf(vendor, fault) };
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  const dimensions = Number(body[embedding.dimensions] ?? embedding.dimensionsOf(model));
  const vectors = texts.map((text) => quantised(vectorOf(text, dimensions), type) ?? []);
  return {
    model,
    metered: meteredInput(tokens),
    answer: jsonReply(200, embedding.write({ body, type, vectors, tokens })),
  };
}

interface Asked {
  body: JsonObject;
  model: string;
  texts: readonly string[];
  type: string;
}

function findFault(
  { body, model, texts, type }: Asked,
  { members, models, types, mostInputs, fault }: EmbeddingVendor,
  vendor: CompatibleVendor,
): ApiError | undefined {
  const unknown = unknownMember(body, members);
  if (unknown !== undefined) return unsupported(unknown);
  if (!models.test(model)) return wordedFor(vendor, 404);
  if (texts.length === 0) return invalidRequest('The input is invalid.', null);
  if (texts.length > mostInputs) return invalidRequest(`At most ${mostInputs} inputs are allowed.`, null);
  return types.values.includes(type) ? fault?.(body) : unsupported(types.member);
}
