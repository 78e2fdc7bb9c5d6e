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
  spentOn,
  createReplyCache,
  type ArrivedRequest,
  type Route,
  type RouteAnswer,
} from '@switchyard/sandbox';
import { converseAnswer, framesOf, type BedrockAnswer } from './answer.ts';
import { refuseBedrockKey } from './authorization.ts';
import type { AwsCredentials } from './signature.ts';
import { bedrockDialect } from './dialect.ts';
import { bedrockErrorReply, bedrockInvalid, requestId, type BedrockFinding } from './errors.ts';
import { readConverseQuestion } from './question.ts';
import { findConverseFault } from './strictness.ts';

/** Converse, whole and as a stream of binary frames. */
export const bedrockRoutes =
  (awsCredentials: AwsCredentials | undefined) =>
  (settings: FamilySettings): Route[] => {
    const cache = createReplyCache();
    const answer = (request: ArrivedRequest): RouteAnswer => {
      const refusal = refuseBedrockKey(request, { apiKeys: settings.apiKeys, awsCredentials });
      if (refusal) return { answer: bedrockErrorReply(refusal) };
      const key = contentHash(`${request.path}\n${contentHash(request.body)}`);
      return cache.get(key) ?? cache.keep(key, answerConverse(request, settings));
    };
    return [
      {
        method: 'POST',
        path: /^\/bedrock\/model\/[^/]+\/converse(?:-stream)?$/,
        provider: 'aws-bedrock',
        faulty: true,
        dialect: bedrockDialect,
        answer,
      },
    ];
  };

function answerConverse({ path, body: bytes }: ArrivedRequest, settings: FamilySettings): RouteAnswer {
  const model = decodeURIComponent(path.split('/')[3] ?? '');
  const body = jsonOf(bytes.toString());
  if (!isObject(body))
    return { model, answer: bedrockErrorReply(bedrockInvalid('The request body is not valid JSON.')) };
  const fault = refuseModel(model) ?? findConverseFault(body);
  if (fault) return { model, answer: bedrockErrorReply(fault) };
  return { model, answer: write(readConverseQuestion(body, { model, stream: path.endsWith('-stream') }), settings) };
}

/** `vendor.model`, some of them only behind the name of a region group. */
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
    spent: spentOn(question, [choice]),
    usageFirst: question.model.includes('nova'),
  };
  const headers = { 'x-amzn-requestid': requestId, 'x-amzn-bedrock-invocation-latency': '1' };
  if (!question.stream) return jsonReply(200, converseAnswer(script), headers);
  const reply = streamReply(framesOf(script), paceOf(question.model, settings.chunksPerSecond));
  return { ...reply, headers: { ...headers, 'content-type': 'application/vnd.amazon.eventstream' } };
}
