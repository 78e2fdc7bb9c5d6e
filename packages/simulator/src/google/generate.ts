import {
  jsonReply,
  streamReply,
  type Reply,
  contentHash,
  isObject,
  jsonOf,
  type JsonObject,
  composeChoices,
  paceOf,
  type FamilySettings,
  spentTokens,
  createReplyCache,
  type ArrivedRequest,
  type RouteAnswer,
  createImageEncoder,
} from '@tallyport/sandbox';
import { googleAnswer, arrayOf, googleEvents, type GoogleAnswer } from './answer.ts';
import { googleErrorReply, googleInvalid, googleUnknownModel } from './errors.ts';
import { composeImage } from './image-choice.ts';
import { imageRulesOf, isUnknownImageModel } from './image-models.ts';
import { readGoogleQuestion } from './question.ts';
import { camelCased } from './spelling.ts';
import { findGoogleFault, isGemini3 } from './strictness.ts';
import { googleUse, sharedRequestType } from './usage.ts';

/** `whole`: one JSON document · `events` · `array`: a stream without `alt=sse`. */
export type GenerateForm = 'whole' | 'events' | 'array';

/** Serves generateContent in all its forms. The answer to a repeated question is composed and encoded once. */
export function createGenerate(settings: FamilySettings) {
  const cache = createReplyCache();
  const encode = createImageEncoder();
  return (request: ArrivedRequest, form: GenerateForm): RouteAnswer => {
    const key = contentHash(
      `${form}\n${request.provider}\n${String(request.headers[sharedRequestType])}\n${request.path}\n${contentHash(request.body)}`,
    );
    return cache.get(key) ?? cache.keep(key, answerGenerate({ request, form, settings, key, encode }));
  };
}

interface Turn {
  request: ArrivedRequest;
  form: GenerateForm;
  settings: FamilySettings;
  key: string;
  encode: ReturnType<typeof createImageEncoder>;
}

function answerGenerate(turn: Turn): RouteAnswer {
  const { request, form } = turn;
  const model = decodeURIComponent(/models\/([^/:]+):/.exec(request.path)?.[1] ?? '');
  const body = camelCased(jsonOf(request.body.toString()));
  const refuse = (error: Parameters<typeof googleErrorReply>[0]) => ({
    model,
    answer: googleErrorReply(error, form === 'array'),
  });
  if (!isObject(body)) return refuse(googleInvalid('Invalid JSON payload received. Unexpected end of string.'));
  if (!/^(gemini|gemma|learnlm)/.test(model) || isUnknownImageModel(model)) return refuse(googleUnknownModel(model));
  const fault = findGoogleFault(body, { model, host: request.provider });
  if (fault) return refuse(fault);
  const script = scriptOf(body, model, turn);
  const images = script.choices.filter((choice) => choice.images.length > 0).length;
  return { model, ...(images > 0 && { images }), metered: script.use.metered, answer: write(script, turn) };
}

function scriptOf(body: JsonObject, model: string, { request, form, settings, key, encode }: Turn): GoogleAnswer {
  const question = readGoogleQuestion(body, { model, stream: form !== 'whole' });
  const rules = imageRulesOf(model);
  const image = rules && composeImage({ question, body, provider: request.provider, rules, encode });
  const choices = image
    ? [image.choice]
    : composeChoices(question, { provider: request.provider, seed: settings.seed });
  const imageTokens = image?.imageTokens ?? 0;
  return {
    id: `sim${contentHash(`${settings.seed}/${key}`).slice(0, 20)}`,
    model,
    choices,
    use: googleUse({ body, question, spent: spentTokens(question, choices), imageTokens, request }),
    host: request.provider,
    signs: isGemini3(model) || question.reasoning === 'asked',
    ...(image && { ending: image.ending }),
  };
}

function write(script: GoogleAnswer, { form, settings }: Turn): Reply {
  const pace = paceOf(script.model, settings.chunksPerSecond);
  switch (form) {
    case 'whole':
      return jsonReply(200, googleAnswer(script), tierHeader(script));
    case 'events':
      return withHeaders(streamReply(googleEvents(script), pace), script, 'text/event-stream');
    case 'array':
      return withHeaders(streamReply(arrayOf(script), pace), script, 'application/json; charset=UTF-8');
  }
}

const withHeaders = (reply: Reply, script: GoogleAnswer, type: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...tierHeader(script), 'content-type': type },
});

/** The Gemini API reports the tier in a header, Vertex in the usage. */
const tierHeader = ({ host, use }: GoogleAnswer): Record<string, string> =>
  host === 'google' ? { 'x-gemini-service-tier': use.tier } : {};
