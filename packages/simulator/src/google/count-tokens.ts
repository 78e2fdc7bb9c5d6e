import {
  type ArrivedRequest,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  promptTokenCount,
  type RouteAnswer,
  spentTokens,
} from '@tallyport/sandbox';
import { googleErrorReply, googleInvalid, googleUnknownModel } from './errors.ts';
import { readGoogleQuestion } from './question.ts';
import { camelCased } from './spelling.ts';
import { findGoogleFault } from './strictness.ts';
import { type GoogleFinding, unknownOf } from './unknown.ts';

/** What a request for a count may have, beside a whole request in a member of its own. */
const countMembers: Readonly<Record<'gemini' | 'vertex', readonly string[]>> = {
  gemini: ['contents', 'generateContentRequest'],
  vertex: ['contents', 'generationConfig', 'instances', 'model', 'systemInstruction', 'tools'],
};

/** `:countTokens`: the tokens that the same request would be billed. */
export function countGoogleTokens(
  { provider, path, body: bytes }: ArrivedRequest,
  api: 'gemini' | 'vertex',
): RouteAnswer {
  const model = decodeURIComponent(/models\/([^/:]+):/.exec(path)?.[1] ?? '');
  const body = camelCased(jsonOf(bytes.toString()));
  if (!isObject(body)) return { model, answer: googleErrorReply(googleInvalid('Invalid JSON payload received.')) };
  if (!/^(gemini|gemma)/.test(model)) return { model, answer: googleErrorReply(googleUnknownModel(model)) };
  const { generateContentRequest: whole } = body;
  const counted = isObject(whole) ? whole : body;
  const fault =
    unknownOf(body, countMembers[api], '') ??
    checkWhole(whole, body) ??
    checkCounted(counted, { model, host: provider });
  return { model, answer: fault ? googleErrorReply(fault) : jsonReply(200, countOf(counted, model)) };
}

function checkWhole(whole: unknown, body: JsonObject): GoogleFinding {
  if (whole === undefined) return undefined;
  if (body.contents !== undefined) return googleInvalid('contents and generateContentRequest are mutually exclusive.');
  return isObject(whole) && typeof whole.model === 'string'
    ? undefined
    : googleInvalid('generateContentRequest.model: model is not specified');
}

const checkCounted = (
  { model: _model, ...request }: JsonObject,
  place: { model: string; host: string },
): GoogleFinding => findGoogleFault(request, place);

function countOf(request: JsonObject, model: string) {
  const spent = spentTokens(readGoogleQuestion(request, { model, stream: false }), []);
  const totalTokens = promptTokenCount(spent);
  return { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
}
