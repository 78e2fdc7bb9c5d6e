import { jsonReply, streamReply } from '../answer.ts';
import { contentHash } from '../content-hash.ts';
import { isObject, type JsonObject, jsonOf } from '../json.ts';
import type { ArrivedRequest, RouteAnswer } from '../route.ts';
import { composeChoices } from '../model/compose.ts';
import { paceOf } from '../model/pace.ts';
import type { FamilySettings } from '../model/settings.ts';
import { createReplyCache } from '../reply-cache.ts';
import { simulatedOpenAiCompletion, type OpenAiAnswer } from './completion.ts';
import { openAiErrorReply, invalidRequest } from './errors.ts';
import type { OpenAiProvider } from './provider.ts';
import { readOpenAiQuestion } from './question.ts';
import { openAiStream } from './stream.ts';
import { openAiUse } from './usage.ts';

/** Answers chats. The answer to a repeated question is composed and encoded once. */
export function createChat(provider: OpenAiProvider, settings: FamilySettings) {
  const cache = createReplyCache();
  return (request: ArrivedRequest): RouteAnswer => {
    const key = contentHash(`${provider.id}\n${contentHash(request.body)}`);
    return cache.get(key) ?? cache.keep(key, answerChat({ request, provider, settings, key }));
  };
}

interface Turn {
  request: ArrivedRequest;
  provider: OpenAiProvider;
  settings: FamilySettings;
  key: string;
}

function answerChat(turn: Turn): RouteAnswer {
  const body = jsonOf(turn.request.body.toString());
  if (!isObject(body)) return { answer: openAiErrorReply(notJson) };
  const model = typeof body.model === 'string' && { model: body.model };
  const refusal = turn.provider.refuseChat(body);
  if (refusal) return { answer: openAiErrorReply(refusal), ...model };
  return { ...write(body, turn), ...model };
}

const notJson = invalidRequest(
  'We could not parse the JSON body of your request. (HINT: This likely means you aren’t using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)',
  null,
);

function write(body: JsonObject, { provider, settings, key }: Turn): Pick<RouteAnswer, 'answer' | 'metered'> {
  const question = readOpenAiQuestion(body);
  const choices = composeChoices(question, { provider: provider.id, seed: settings.seed });
  const { usage, tier, metered } = openAiUse(body, question, choices);
  const script: OpenAiAnswer = {
    id: `chatcmpl-sim${contentHash(`${settings.seed}/${key}`).slice(0, 24)}`,
    created: settings.now(),
    model: question.model,
    choices,
    usage,
    tier,
  };
  if (!question.stream) return { metered, answer: jsonReply(200, simulatedOpenAiCompletion(script)) };
  const pace = paceOf(question.model, settings.chunksPerSecond);
  return { metered, answer: streamReply(openAiStream(script, question.includeUsage), pace) };
}
