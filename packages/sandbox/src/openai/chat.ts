import { jsonReply, streamReply } from '../answer.ts';
import { fingerprint } from '../fingerprint.ts';
import { isObject, parseJson } from '../json.ts';
import type { ArrivedRequest, RouteAnswer } from '../route.ts';
import { composeChoices } from '../model/compose.ts';
import { paceOf } from '../model/pace.ts';
import type { Question } from '../model/question.ts';
import type { FamilySettings } from '../model/settings.ts';
import { createReplyCache } from '../reply-cache.ts';
import { completionOf, type Script } from './completion.ts';
import { errorReply, invalidRequest } from './errors.ts';
import type { OpenAiProvider } from './provider.ts';
import { readQuestion } from './question.ts';
import { streamOf } from './stream.ts';
import { usageOf } from './usage.ts';

/** Answers chats. The same question is composed and encoded once, then only sent. */
export function createChat(provider: OpenAiProvider, settings: FamilySettings) {
  const cache = createReplyCache();
  return (request: ArrivedRequest): RouteAnswer => {
    const key = fingerprint(`${provider.id}\n${fingerprint(request.body)}`);
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
  const body = parseJson(turn.request.body.toString());
  if (!isObject(body)) return { answer: errorReply(notJson) };
  const model = typeof body.model === 'string' && { model: body.model };
  const refusal = turn.provider.refuseChat(body);
  if (refusal) return { answer: errorReply(refusal), ...model };
  return { ...write(readQuestion(body), turn), ...model };
}

const notJson = invalidRequest(
  'We could not parse the JSON body of your request. (HINT: This likely means you aren’t using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)',
  null,
);

function write(question: Question, { provider, settings, key }: Turn): Pick<RouteAnswer, 'answer' | 'tokens'> {
  const choices = composeChoices(question, { provider: provider.id, seed: settings.seed });
  const script: Script = {
    id: `chatcmpl-sim${fingerprint(`${settings.seed}/${key}`).slice(0, 24)}`,
    created: settings.now(),
    model: question.model,
    choices,
    usage: usageOf(question, choices),
  };
  const tokens = { prompt: script.usage.prompt_tokens, completion: script.usage.completion_tokens };
  if (!question.stream) return { tokens, answer: jsonReply(200, completionOf(script)) };
  const pace = paceOf(question.model, settings.chunksPerSecond);
  return { tokens, answer: streamReply(streamOf(script, question.includeUsage), pace) };
}
