import {
  type ArrivedRequest,
  bearerOf,
  createDecisions,
  decisionTokens,
  distribution,
  type FamilySettings,
  invalidRequest,
  isAcceptedKey,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  likelihood,
  meteredInput,
  type RouteAnswer,
  type VendorRoute,
} from '@tallyport/sandbox';
import { basePathOf } from '../bases.ts';
import { dialectOf, refusalOf, wordedFor } from '../compatible/dialect.ts';
import type { CompatibleVendor } from '../compatible/vendor.ts';
import { fireworksVendor } from '../compatible/vendors/fireworks.ts';
import { notJson, unknownMember, unsupported } from '../refusals.ts';

const typesafeVendor: CompatibleVendor = {
  id: 'typesafe',
  errorBody: ({ message, code }) => ({ error: { message, code } }),
};

/** The decisions of Fireworks, in OpenAI's format, and of TypeSafe. */
export const decisionRoutes = ({ apiKeys }: FamilySettings): VendorRoute[] => {
  const inOpenAi = createDecisions({ refuseDecisions: () => undefined });
  return [routeOf(fireworksVendor, '/decisions', inOpenAi), routeOf(typesafeVendor, '/systemone', answerState)];

  function routeOf(vendor: CompatibleVendor, path: string, answer: VendorRoute['answer']): VendorRoute {
    return {
      method: 'POST',
      path: new RegExp(`^${basePathOf(vendor.id)}${path}$`),
      provider: vendor.id,
      faulty: true,
      dialect: dialectOf(vendor),
      answer: (request) =>
        isAcceptedKey(bearerOf(request.headers), apiKeys)
          ? answer(request)
          : { answer: refusalOf(vendor, wordedFor(vendor, 401)) },
    };
  }
};

function answerState({ body: bytes }: ArrivedRequest): RouteAnswer {
  const body = jsonOf(bytes.toString());
  if (!isObject(body)) return { answer: refusalOf(typesafeVendor, notJson) };
  const model = String(body.model);
  const refused = (error: Parameters<typeof refusalOf>[1]) => ({ model, answer: refusalOf(typesafeVendor, error) });
  const unknown = unknownMember(body, ['model', 'state', 'questions']);
  if (unknown !== undefined) return refused(unsupported(unknown));
  if (!model.startsWith('jev-')) return refused(wordedFor(typesafeVendor, 404));
  const questions = Object.entries(isObject(body.questions) ? body.questions : {});
  if (body.state === undefined || questions.length === 0 || !questions.every(([, question]) => isQuestion(question)))
    return refused({ ...invalidRequest('The questions are invalid.', null), status: 422 });
  const text = typeof body.state === 'string' ? body.state : JSON.stringify(body.state);
  const answers = questions.map(([name, question]) => [name, isObject(question) ? answerOf(text, question) : {}]);
  const tokens = decisionTokens([body.state, body.questions]);
  return {
    model,
    metered: meteredInput(tokens),
    answer: jsonReply(200, {
      model: 'jev-1.14.0',
      answers: Object.fromEntries(answers),
      usage: { input_tokens: tokens, output_tokens: 0 },
    }),
  };
}

function isQuestion(question: unknown): boolean {
  if (!isObject(question) || typeof question.instructions !== 'string') return false;
  const { type, criteria } = question;
  if (type === 'choice')
    return isObject(criteria) && Object.keys(criteria).length > 0 && Object.keys(criteria).length <= 255;
  return (
    type === 'noul' || (type === 'score' && Array.isArray(criteria) && criteria.length > 0 && criteria.length <= 10)
  );
}

function answerOf(text: string, { type, instructions, criteria }: JsonObject): object {
  if (type === 'noul') return { type, noul: likelihood(text, String(instructions)) };
  const options = Object.entries(Object(criteria) as object);
  const { probabilities, best, confidence } = distribution(text, options.map(wordsIn));
  const byName = Object.fromEntries(options.map(([name], at) => [name, probabilities[at]]));
  if (type === 'choice') return { type, choice: options[best]?.[0], confidence, probabilities: byName };
  const score = probabilities.reduce((sum, probability, at) => sum + probability * at, 0);
  return { type, score, confidence, legend: Object.fromEntries(options), probabilities: byName };
}

const wordsIn = ([name, meaning]: [string, unknown]): string => `${name} ${String(meaning)}`;
