import { jsonReply } from '../answer.ts';
import { isObject, type JsonObject, jsonOf, objectsOf } from '../json.ts';
import { meteredInput } from '../model/metered.ts';
import type { ArrivedRequest, RouteAnswer } from '../route.ts';
import { type ApiError, invalidRequest, openAiErrorReply } from './errors.ts';
import type { OpenAiProvider } from './provider.ts';

/** Answers questions in OpenAI's format. A question whose instructions say `[decline]` is declined. */
export const createDecisions =
  ({ refuseDecisions }: Pick<OpenAiProvider, 'refuseDecisions'>) =>
  ({ body: bytes }: ArrivedRequest): RouteAnswer => {
    const body = jsonOf(bytes.toString());
    if (!isObject(body)) return { answer: openAiErrorReply(notJson) };
    const model = String(body.model);
    const refusal = refuseDecisions(body) ?? findDecisionFault(body);
    if (refusal) return { model, answer: openAiErrorReply(refusal) };
    const text = typeof body.input === 'string' ? body.input : JSON.stringify(body.input);
    const tokens = decisionTokens([text, body.questions]);
    const answers = objectsOf(body.questions).map((question) => answerOf(text, question));
    return {
      model,
      metered: meteredInput(tokens),
      answer: jsonReply(200, { model, answers, usage: usageOf(tokens) }),
    };
  };

const notJson = invalidRequest('We could not parse the JSON body of your request.', null);

/** A token is four characters of everything that is read. */
export const decisionTokens = (read: unknown): number => Math.ceil(JSON.stringify(read).length / 4);

const usageOf = (tokens: number) => ({
  input_tokens: tokens,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: tokens,
});

function answerOf(text: string, { type, name = null, instructions, choices, levels }: JsonObject): object {
  if (String(instructions).includes('[decline]')) return { type: 'refusal', name };
  if (type === 'predicate') return { type, name, probability: likelihood(text, String(instructions)) };
  const options = objectsOf(type === 'choice' ? choices : levels);
  const { probabilities, best, confidence } = distribution(text, options.map(wordsIn));
  if (type === 'choice') {
    const listed = options.map(({ value }, at) => ({ value, probability: probabilities[at] }));
    return { type, name, choice: options[best]?.value, confidence, probabilities: listed };
  }
  // OpenAI's levels count from 1 here, so that no test relies on their count.
  const listed = options.map(({ label }, at) => ({ label, value: at + 1, probability: probabilities[at] }));
  const score = probabilities.reduce((sum, probability, at) => sum + probability * (at + 1), 0);
  return { type, name, score, confidence, probabilities: listed };
}

const wordsIn = (option: JsonObject): string => Object.values(option).join(' ');

/** The share of the words of the statement that the text has, never certain. */
export function likelihood(text: string, statement: string): number {
  const asked = wordsOf(statement);
  const words = new Set(wordsOf(text));
  const share = asked.filter((word) => words.has(word)).length / Math.max(asked.length, 1);
  return 0.05 + 0.9 * share;
}

/** An option is likelier the more of its words the text has. */
export function distribution(text: string, options: readonly string[]) {
  const weights = options.map((option) => likelihood(text, option));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const probabilities = weights.map((weight) => weight / sum);
  const best = probabilities.indexOf(Math.max(...probabilities));
  return { probabilities, best, confidence: probabilities[best] ?? 0 };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The rules of OpenAI. */
function findDecisionFault({ input, questions }: JsonObject): ApiError | undefined {
  if (!(typeof input === 'string' ? input !== '' : objectsOf(input).length > 0))
    return invalidRequest("'$.input' is invalid.", 'input');
  const given = objectsOf(questions);
  if (given.length === 0 || given.length > 400) return invalidRequest("'$.questions' is invalid.", 'questions');
  return given.every(isQuestion) ? undefined : invalidRequest('A question is invalid.', 'questions');
}

function isQuestion({ type, instructions, choices, levels, ...others }: JsonObject): boolean {
  if (typeof instructions !== 'string' || Object.keys(others).some((name) => name !== 'name')) return false;
  if (type === 'choice') return objectsOf(choices).length >= 2 && objectsOf(choices).length <= 255;
  return type === 'predicate' || (type === 'score' && objectsOf(levels).length > 0);
}
