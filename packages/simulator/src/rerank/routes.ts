import {
  type ApiError,
  type ArrivedRequest,
  bearerOf,
  type FamilySettings,
  findRerankFault,
  invalidRequest,
  isAcceptedKey,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  type Metered,
  meteredInput,
  rankedDocuments,
  rerankTokens,
  rerankUnits,
  type RouteAnswer,
  type VendorRoute,
} from '@tallyport/sandbox';
import { dialectOf, refusalOf, wordedFor } from '../compatible/dialect.ts';
import { modelListRoutes } from '../compatible/routes.ts';
import { notJson, unknownMember, unsupported } from '../refusals.ts';
import { cohereVendor, documentsOf, type RerankVendor, rerankVendors } from './vendors.ts';

/** The rankings of every vendor that has some, apart from AWS Bedrock's. */
export const rerankRoutes = (settings: FamilySettings): VendorRoute[] => [
  ...rankingRoutes(settings),
  ...modelListRoutes(cohereVendor, settings),
];

const rankingRoutes = ({ apiKeys }: FamilySettings): VendorRoute[] =>
  rerankVendors.map((rerank) => {
    const { vendor, path } = rerank;
    return {
      method: 'POST',
      path: new RegExp(`^${path}$`),
      provider: vendor.id,
      faulty: true,
      dialect: dialectOf(vendor),
      answer: (request) =>
        knowsKey(request, rerank, apiKeys)
          ? answer(request, rerank)
          : { answer: refusalOf(vendor, wordedFor(vendor, 401)) },
    };
  });

function knowsKey({ headers }: ArrivedRequest, { vendor }: RerankVendor, apiKeys: readonly string[]): boolean {
  const own = vendor.credential === 'api-key' ? headers['api-key'] : undefined;
  return vendor.credential === 'none' || isAcceptedKey(own ?? bearerOf(headers), apiKeys);
}

function answer({ body: bytes }: ArrivedRequest, rerank: RerankVendor): RouteAnswer {
  const { vendor, write, most = 'top_n' } = rerank;
  const sent = jsonOf(bytes.toString());
  if (!isObject(sent)) return { answer: refusalOf(vendor, notJson) };
  const model = String(sent.model);
  const body: JsonObject = { ...sent, documents: sent[documentsOf(rerank)] };
  const fault = findFault(sent, body, rerank);
  if (fault !== undefined) return { model, answer: refusalOf(vendor, fault) };
  const results = rankedDocuments(body).slice(0, Number(body[most] ?? Infinity));
  return { model, metered: meteredOf(body, rerank), answer: jsonReply(200, write({ body, results })) };
}

const meteredOf = (body: JsonObject, { bills }: RerankVendor): Metered =>
  bills === 'tokens' ? meteredInput(rerankTokens(body)) : meteredUnits(body);

/** What Cohere and those who sell its models count. */
export const meteredUnits = (body: JsonObject): Metered => ({
  tier: 'default',
  counts: [{ of: 'search_unit', count: rerankUnits(body) }],
});

function findFault(sent: JsonObject, body: JsonObject, rerank: RerankVendor): ApiError | undefined {
  const { vendor, members, mostDocuments } = rerank;
  const unknown = unknownMember(sent, ['model', 'query', documentsOf(rerank), ...members]);
  if (unknown !== undefined) return unsupported(unknown);
  if (/unknown/.test(String(sent.model))) return wordedFor(vendor, 404);
  const isTooMany = Array.isArray(body.documents) && body.documents.length > mostDocuments;
  if (isTooMany) return invalidRequest(`At most ${mostDocuments} documents are allowed.`, 'documents');
  return findRerankFault(body);
}
