import {
  type ArrivedRequest,
  composeChoice,
  contentHash,
  createReplyCache,
  type FamilySettings,
  type FaultDialect,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  paceOf,
  piece,
  type RouteAnswer,
  spentTokens,
  streamReply,
  type VendorRoute,
} from '@tallyport/sandbox';
import { namedEvent } from '../../event.ts';
import { googleErrorReply, googleInvalid, googleUnknownModel, type GoogleError } from '../errors.ts';
import { googleFailure } from '../failures.ts';
import { readGoogleQuestion } from '../question.ts';
import { isGemini3 } from '../strictness.ts';
import { googleUse } from '../usage.ts';
import { interactionStream, type InteractionScript, wholeInteraction } from './answer.ts';
import { asGenerateContent, asksForThoughts } from './contents.ts';
import { findInteractionFault } from './strictness.ts';

type Refuse = (request: ArrivedRequest) => GoogleError | undefined;

const unavailable = { code: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' };
const delta = (text: string) =>
  namedEvent('delta', 'step.delta', { index: 0, delta: { type: 'text', text }, event_type: 'step.delta' });

const dialect: FaultDialect = {
  failure: (status, options = {}) => googleErrorReply(googleFailure(status, options)),
  midStream: [namedEvent('error', 'error', { error: unavailable, event_id: 'evt_99', event_type: 'error' })],
  malformed: piece('delta', 'event: step.delta\ndata: {"index":0,"del\n\n'),
  delta,
  comment: piece('comment', ': heartbeat\n\n'),
  usageMembers: ['usage'],
};

/** `POST /v1beta/interactions`. Nothing is stored: every request brings its whole conversation. */
export function interactionRoute(settings: FamilySettings, refuse: Refuse): VendorRoute {
  const cache = createReplyCache();
  return {
    method: 'POST',
    path: /^\/google\/v1(?:beta)?\/interactions$/,
    provider: 'google',
    faulty: true,
    dialect,
    answer(request) {
      const error = refuse(request);
      if (error !== undefined) return { answer: googleErrorReply(error) };
      const key = contentHash(`interaction\n${contentHash(request.body)}`);
      return cache.get(key) ?? cache.keep(key, answerInteraction(request, { settings, key }));
    },
  };
}

interface Turn {
  settings: FamilySettings;
  key: string;
}

function answerInteraction(request: ArrivedRequest, turn: Turn): RouteAnswer {
  const body = jsonOf(request.body.toString());
  if (!isObject(body)) return { answer: googleErrorReply(googleInvalid('Invalid JSON payload received.')) };
  const model = String(body.model);
  const refused = (error: GoogleError): RouteAnswer => ({ model, answer: googleErrorReply(error) });
  if (body.agent === undefined && !model.startsWith('gemini')) return refused(googleUnknownModel(model));
  const fault = findInteractionFault(body);
  if (fault) return refused(fault);
  const script = scriptOf(body, request, turn);
  const reply = body.stream === true ? streamOf(script, turn.settings) : jsonReply(200, wholeInteraction(script));
  const tier = { 'x-gemini-service-tier': script.use.tier };
  return { model, metered: script.use.metered, answer: { ...reply, headers: { ...reply.headers, ...tier } } };
}

const streamOf = (script: InteractionScript, settings: FamilySettings) =>
  streamReply(interactionStream(script), paceOf(script.model, settings.chunksPerSecond));

function scriptOf(body: JsonObject, request: ArrivedRequest, { settings, key }: Turn): InteractionScript {
  const model = String(body.model);
  const asked = asGenerateContent(body);
  const question = readGoogleQuestion(asked, { model, stream: body.stream === true });
  const choice = composeChoice(question, { provider: 'google', seed: settings.seed });
  return {
    id: `v1_${contentHash(`${settings.seed}/${key}`).slice(0, 24)}`,
    model,
    created: new Date(settings.now() * 1_000).toISOString().replace('.000Z', 'Z'),
    choice,
    use: googleUse({ body: asked, question, spent: spentTokens(question, [choice]), imageTokens: 0, request }),
    showsThoughts: asksForThoughts(body),
    signs: isGemini3(model) || question.reasoning === 'asked',
  };
}
