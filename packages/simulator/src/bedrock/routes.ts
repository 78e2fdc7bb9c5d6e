import {
  jsonReply,
  streamReply,
  type Reply,
  fingerprint,
  isObject,
  parseJson,
  composeChoice,
  paceOf,
  type FamilySettings,
  spentOn,
  createReplyCache,
  type ArrivedRequest,
  type Route,
  type RouteAnswer,
} from '@switchyard/sandbox';
import { answerOf, framesOf, type Script } from './answer.ts';
import { refuseKey } from './authorization.ts';
import type { AwsCredentials } from './signature.ts';
import { bedrockDialect } from './dialect.ts';
import { errorReply, invalid, requestId, type Finding } from './errors.ts';
import { readQuestion } from './question.ts';
import { findFault } from './strictness.ts';

/** Converse, whole and as a stream of binary frames. */
export const bedrockRoutes =
  (awsCredentials: AwsCredentials | undefined) =>
  (settings: FamilySettings): Route[] => {
    const cache = createReplyCache();
    const answer = (request: ArrivedRequest): RouteAnswer => {
      const refusal = refuseKey(request, { apiKeys: settings.apiKeys, awsCredentials });
      if (refusal) return { answer: errorReply(refusal) };
      const key = fingerprint(`${request.path}\n${fingerprint(request.body)}`);
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
  const body = parseJson(bytes.toString());
  if (!isObject(body)) return { model, answer: errorReply(invalid('The request body is not valid JSON.')) };
  const fault = refuseModel(model) ?? findFault(body);
  if (fault) return { model, answer: errorReply(fault) };
  return { model, answer: write(readQuestion(body, { model, stream: path.endsWith('-stream') }), settings) };
}

/** `vendor.model`, some of them only behind the name of a region group. */
function refuseModel(model: string): Finding {
  if (!/^(arn:aws:bedrock:|[a-z0-9-]+\.)/.test(model)) return invalid('The provided model identifier is invalid.');
  if (!/^anthropic\.claude-[a-z]+-[4-9]/.test(model)) return undefined;
  return invalid(
    `Invocation of model ID ${model} with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.`,
  );
}

function write(question: ReturnType<typeof readQuestion>, settings: FamilySettings): Reply {
  const choice = composeChoice(question, { provider: 'aws-bedrock', seed: settings.seed });
  const script: Script = { choice, spent: spentOn(question, [choice]), usageFirst: question.model.includes('nova') };
  const headers = { 'x-amzn-requestid': requestId, 'x-amzn-bedrock-invocation-latency': '1' };
  if (!question.stream) return jsonReply(200, answerOf(script), headers);
  const reply = streamReply(framesOf(script), paceOf(question.model, settings.chunksPerSecond));
  return { ...reply, headers: { ...headers, 'content-type': 'application/vnd.amazon.eventstream' } };
}
