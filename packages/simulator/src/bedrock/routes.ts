import {
  jsonReply,
  streamReply,
  contentHash,
  isObject,
  jsonOf,
  type JsonObject,
  composeChoice,
  paceOf,
  type FamilySettings,
  createReplyCache,
  type ArrivedRequest,
  type VendorRoute,
  type RouteAnswer,
} from '@tallyport/sandbox';
import { type AnthropicCache, createAnthropicCache, hasCacheMarks } from '../anthropic/prompt-cache.ts';
import { converseAnswer, framesOf, type BedrockAnswer } from './answer.ts';
import { refuseBedrockKey } from './authorization.ts';
import { answerCountTokens } from './count-tokens.ts';
import type { AwsCredentials } from './signature.ts';
import { bedrockDialect, invokeDialect } from './dialect.ts';
import { answerInvoke } from './embeddings.ts';
import { findClaudeFault } from './claude-strictness.ts';
import { checkChoiceOf } from './choice-strictness.ts';
import { checkCallIds } from './id-strictness.ts';
import { bedrockErrorReply, bedrockInvalid, requestId } from './errors.ts';
import { answerInvokeClaude } from './invoke-claude.ts';
import { refuseModel } from './model-names.ts';
import { readConverseQuestion } from './question.ts';
import { findConverseFault } from './strictness.ts';
import { converseUse } from './usage.ts';

/** The Converse API, whole and as a stream of binary frames, Claude in its own format, and embeddings. */
export const bedrockRoutes =
  (awsCredentials: AwsCredentials | undefined) =>
  (settings: FamilySettings): VendorRoute[] => {
    const cache = createReplyCache();
    const prompts = createAnthropicCache(settings.now);
    const guarded = (request: ArrivedRequest, answer: () => RouteAnswer): RouteAnswer => {
      const refusal = refuseBedrockKey(request, { apiKeys: settings.apiKeys, awsCredentials });
      return refusal ? { answer: bedrockErrorReply(refusal) } : answer();
    };
    const kept =
      (answer: (request: ArrivedRequest) => RouteAnswer): VendorRoute['answer'] =>
      (request) => {
        const key = contentHash(`${request.path}\n${contentHash(request.body)}`);
        if (hasCacheMarks(request)) return answer(request);
        return cache.get(key) ?? cache.keep(key, answer(request));
      };
    const converse = kept((request) => answerConverse(request, settings, prompts));
    const claude = kept((request) => ({ ...answerInvokeClaude(request, settings, prompts), dialect: invokeDialect }));
    const routeOf = (path: RegExp, answer: VendorRoute['answer']): VendorRoute => ({
      method: 'POST',
      path,
      provider: 'aws-bedrock',
      faulty: true,
      dialect: bedrockDialect,
      answer: (request) => guarded(request, () => answer(request)),
    });
    return [
      routeOf(/^\/bedrock\/model\/[^/]+\/converse(?:-stream)?$/, converse),
      routeOf(/^\/bedrock\/model\/[^/]*anthropic\.claude-[^/]+\/invoke(?:-with-response-stream)?$/, claude),
      routeOf(/^\/bedrock\/model\/[^/]+\/invoke$/, answerInvoke),
      routeOf(/^\/bedrock\/model\/[^/]+\/count-tokens$/, answerCountTokens),
    ];
  };

function answerConverse(
  { path, body: bytes }: ArrivedRequest,
  settings: FamilySettings,
  prompts: AnthropicCache,
): RouteAnswer {
  const model = decodeURIComponent(path.split('/')[3] ?? '');
  const body = jsonOf(bytes.toString());
  if (!isObject(body))
    return { model, answer: bedrockErrorReply(bedrockInvalid('The request body is not valid JSON.')) };
  const fault =
    refuseModel(model) ??
    findConverseFault(body) ??
    checkCallIds(body, model) ??
    checkChoiceOf(body, model) ??
    findClaudeFault(body, model);
  if (fault) return { model, answer: bedrockErrorReply(fault) };
  const question = readConverseQuestion(body, { model, stream: path.endsWith('-stream') });
  const paths = body.additionalModelResponseFieldPaths;
  const namesStop = /claude/.test(model) && Array.isArray(paths) && paths.includes('/stop_sequence');
  return { model, ...write(question, { body, settings, namesStop, prompts }) };
}

interface Writing {
  body: JsonObject;
  prompts: AnthropicCache;
  settings: FamilySettings;
  namesStop: boolean;
}

function write(
  question: ReturnType<typeof readConverseQuestion>,
  { body, settings, namesStop, prompts }: Writing,
): Pick<RouteAnswer, 'answer' | 'metered'> {
  const choice = composeChoice(question, { provider: 'aws-bedrock', seed: settings.seed });
  const use = converseUse({ body, question, choice, prompts });
  const { metered } = use;
  const script: BedrockAnswer = {
    choice,
    use,
    usageFirst: question.model.includes('nova'),
    namesStop,
  };
  const headers = { 'x-amzn-requestid': requestId, 'x-amzn-bedrock-invocation-latency': '1' };
  if (!question.stream) return { metered, answer: jsonReply(200, converseAnswer(script), headers) };
  const reply = streamReply(framesOf(script), paceOf(question.model, settings.chunksPerSecond));
  const types = { 'content-type': 'application/vnd.amazon.eventstream' };
  return { metered, answer: { ...reply, headers: { ...headers, ...types } } };
}
