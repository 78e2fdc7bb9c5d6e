import {
  type ApiError,
  type ArrivedRequest,
  composeChoice,
  contentHash,
  createReplyCache,
  type FamilySettings,
  type FaultDialect,
  invalidRequest,
  isAcceptedKey,
  bearerOf,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  openAiErrorBody,
  openAiDialect,
  openAiFailure,
  paceOf,
  type Reply,
  type VendorRoute,
  type RouteAnswer,
  spentTokens,
  streamReply,
} from '@tallyport/sandbox';
import { dialectOf, refusalOf } from '../compatible/dialect.ts';
import { azureVendor } from '../compatible/vendors/azure.ts';
import { namedEvent } from '../event.ts';
import { outputOf } from './output.ts';
import { readResponsesQuestion } from './question.ts';
import { endedResponse, type ResponsesAnswer } from './response.ts';
import { responsesStream } from './stream.ts';
import { findResponsesFault } from './strictness.ts';
import { responsesUse } from './usage.ts';
import { wholeResponsesRoutes } from './whole.ts';

/** A vendor with the Responses API. */
interface ResponsesVendor {
  readonly id: string;
  readonly path: RegExp;
  readonly keyOf: (headers: ArrivedRequest['headers']) => unknown;
  readonly refusal: (error: ApiError) => Reply;
  readonly dialect: FaultDialect;
}

const vendors: readonly ResponsesVendor[] = [
  {
    id: 'azure',
    path: /^\/azure\/openai\/v1\/responses$/,
    keyOf: (headers) => headers['api-key'] ?? bearerOf(headers),
    refusal: (error) => refusalOf(azureVendor, error),
    dialect: dialectOf(azureVendor),
  },
  {
    id: 'openai',
    path: /^\/v1\/responses$/,
    keyOf: bearerOf,
    refusal: (error) => jsonReply(error.status, openAiErrorBody(error)),
    dialect: openAiDialect,
  },
];

/** `POST /responses` of OpenAI and Azure. They store nothing: every request brings its whole conversation. */
export const responsesRoutes = (settings: FamilySettings): VendorRoute[] => [
  ...vendors.map((vendor) => routeOf(vendor, settings)),
  ...wholeResponsesRoutes(settings),
];

function routeOf(vendor: ResponsesVendor, settings: FamilySettings): VendorRoute {
  const cache = createReplyCache();
  return {
    method: 'POST',
    path: vendor.path,
    provider: vendor.id,
    faulty: true,
    dialect: { ...vendor.dialect, ...streamFaults },
    answer: (request) => {
      const key = vendor.keyOf(request.headers);
      if (settings.apiKeys.length > 0 && !isAcceptedKey(key, settings.apiKeys))
        return { answer: vendor.refusal(openAiFailure(401)) };
      const hash = contentHash(`${vendor.id}\n${contentHash(request.body)}`);
      return cache.get(hash) ?? cache.keep(hash, answerResponse({ vendor, settings, key: hash }, request));
    },
  };
}

const overloaded = { code: 'server_error', message: 'The server had an error while processing your request.' };

const streamFaults: Partial<FaultDialect> & Pick<FaultDialect, 'midStream'> = {
  midStream: [namedEvent('error', 'error', { type: 'error', sequence_number: 99, ...overloaded, param: null })],
  usageMembers: ['usage'],
};

interface Turn {
  vendor: ResponsesVendor;
  settings: FamilySettings;
  key: string;
}

function answerResponse(turn: Turn, request: ArrivedRequest): RouteAnswer {
  const { vendor } = turn;
  const body = jsonOf(request.body.toString());
  if (!isObject(body)) return { answer: vendor.refusal(notJson) };
  const fault = findResponsesFault(body, vendor.id);
  const model = typeof body.model === 'string' ? { model: body.model } : {};
  return { ...model, ...(fault ? { answer: vendor.refusal(fault) } : write(body, turn)) };
}

const notJson = invalidRequest('We could not parse the JSON body of your request.', null);

function write(body: JsonObject, { vendor, settings, key }: Turn): Pick<RouteAnswer, 'answer' | 'metered'> {
  const question = readResponsesQuestion(body);
  const choice = composeChoice(question, { provider: vendor.id, seed: settings.seed });
  const hash = `${settings.seed}/${key}`;
  const output = outputOf({ vendor: vendor.id, key: hash, body, choice });
  const answer: ResponsesAnswer = {
    id: `resp_${contentHash(hash).slice(0, 48)}`,
    created: settings.now(),
    body,
    output,
    isCut: choice.finishReason === 'length',
    use: responsesUse({ body, question, output, spent: spentTokens(question, [choice]) }),
  };
  const pace = paceOf(question.model, settings.chunksPerSecond);
  return {
    metered: answer.use.metered,
    answer: question.stream ? streamReply(responsesStream(answer), pace) : jsonReply(200, endedResponse(answer)),
  };
}
