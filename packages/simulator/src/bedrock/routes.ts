import {
  jsonReply,
  streamReply,
  type Reply,
  contentHash,
  isObject,
  jsonOf,
  composeChoice,
  paceOf,
  type FamilySettings,
  spentTokens,
  createReplyCache,
  type ArrivedRequest,
  type Route,
  type RouteAnswer,
} from '@switchyard/sandbox';
import { converseAnswer, framesOf, type BedrockAnswer } from './answer.ts';
import { refuseBedrockKey } from './authorization.ts';
import type { AwsCredentials } from './signature.ts';
import { bedrockDialect } from './dialect.ts';
import { answerInvoke } from './embeddings.ts';
import { findClaudeFault } from './claude-strictness.ts';
import { bedrockErrorReply, bedrockInvalid, requestId, type BedrockFinding } from './errors.ts';
import { readConverseQuestion } from './question.ts';
import { findConverseFault } from './strictness.ts';

/** The Converse API, whole and as a stream of binary frames, and embeddings. */
export const bedrockRoutes =
  (awsCredentials: AwsCredentials | undefined) =>
  (settings: FamilySettings): Route[] => {
    const cache = createReplyCache();
    const guarded = (request: ArrivedRequest, answer: () => RouteAnswer): RouteAnswer => {
      const refusal = refuseBedrockKey(request, { apiKeys: settings.apiKeys, awsCredentials });
      return refusal ? { answer: bedrockErrorReply(refusal) } : answer();
    };
    const converse = (request: ArrivedRequest): RouteAnswer => {
      const key = contentHash(`${request.path}\n${contentHash(request.body)}`);
      return cache.get(key) ?? cache.keep(key, answerConverse(request, settings));
    };
    const routeOf = (path: RegExp, answer: Route['answer']): Route => ({
      method: 'POST',
      path,
      provider: 'aws-bedrock',
      faulty: true,
      dialect: bedrockDialect,
      answer: (request) => guarded(request, () => answer(request)),
    });
    return [
      routeOf(/^\/bedrock\/model\/[^/]+\/converse(?:-stream)?$/, converse),
      routeOf(/^\/bedrock\/model\/[^/]+\/invoke$/, answerInvoke),
    ];
  };

function answerConverse({ path, body: bytes }: ArrivedRequest, settings: FamilySettings): RouteAnswer {
  const model = decodeURIComponent(path.split('/')[3] ?? '');
  const body = jsonOf(bytes.toString());
  if (!isObject(body))
    return { model, answer: bedrockErrorReply(bedrockInvalid('The request body is not valid JSON.')) };
  const fault = refuseModel(model) ?? findConverseFault(body) ?? findClaudeFault(body, model);
  if (fault) return { model, answer: bedrockErrorReply(fault) };
  return { model, answer: write(readConverseQuestion(body, { model, stream: path.endsWith('-stream') }), settings) };
}

/** Accepts `vendor.model`; some models require the prefix of a region group. */
function refuseModel(model: string): BedrockFinding {
  if (!/^(arn:aws:bedrock:|[a-z0-9-]+\.)/.test(model))
    return bedrockInvalid('The provided model identifier is invalid.');
  if (!/^anthropic\.claude-[a-z]+-[4-9]/.test(model)) return undefined;
  return bedrockInvalid(
    `Invocation of model ID ${model} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
  );
}

function write(question: ReturnType<typeof readConverseQuestion>, settings: FamilySettings): Reply {
  const choice = composeChoice(question, { provider: 'aws-bedrock', seed: settings.seed });
  const script: BedrockAnswer = {
    choice,
    spent: spentTokens(question, [choice]),
    usageFirst: question.model.includes('nova'),
  };
  const headers = { 'x-amzn-requestid': requestId, 'x-amzn-bedrock-invocation-latency': '1' };
  if (!question.stream) return jsonReply(200, converseAnswer(script), headers);
  const reply = streamReply(framesOf(script), paceOf(question.model, settings.chunksPerSecond));
  return { ...reply, headers: { ...headers, 'content-type': 'application/vnd.amazon.eventstream' } };
}
