import type { ServedDecisions } from '@tallyport/dispatch';
import type { DecisionAnswer, DecisionCall, DecisionQuestion } from '@tallyport/providers';
import { metadataOf, servedModel, type ServedRequest } from '@tallyport/serving';
import { type AnswerDocument, documentOf, type Usage } from '@tallyport/wire';

type Render = (served: ServedRequest, decided: ServedDecisions, call: DecisionCall) => AnswerDocument;

/** In OpenAI's form: a list in the order of the questions. */
export const decisionsDocument: Render = (served, decided, { questions }) =>
  document(
    served,
    decided,
    questions.map((question, at) => ({ ...inList(question, decided.answer.answers[at]), name: question.name ?? null })),
  );

/** In the form of System One: a map by the names of the questions. */
export const stateDocument: Render = (served, decided, { questions }) =>
  document(
    served,
    decided,
    Object.fromEntries(questions.map((question, at) => [question.name, inMap(question, decided.answer.answers[at])])),
  );

const document = (served: ServedRequest, { usage, routing }: ServedDecisions, answers: object): AnswerDocument =>
  documentOf({ model: servedModel(served), answers, usage: usageOf(usage), metadata: metadataOf(served, routing) });

const refusal = { type: 'refusal' } as const;

function inList(question: DecisionQuestion, answer: DecisionAnswer = refusal): object {
  if (answer.type === 'predicate' || answer.type === 'refusal') return answer;
  const { type, confidence, probabilities } = answer;
  if (question.type === 'choice' && answer.type === 'choice') {
    const choices = question.choices.map(({ value }, at) => ({ value, probability: probabilities[at] }));
    return { type, choice: question.choices[answer.chosen]?.value, confidence, probabilities: choices };
  }
  if (question.type !== 'score' || answer.type !== 'score') return refusal;
  const levels = question.levels.map(({ label }, at) => ({
    label,
    value: answer.values[at],
    probability: probabilities[at],
  }));
  return { type, score: answer.score, confidence, probabilities: levels };
}

function inMap(question: DecisionQuestion, answer: DecisionAnswer = refusal): object {
  if (answer.type === 'refusal') return answer;
  if (answer.type === 'predicate') return { type: 'noul', noul: answer.probability };
  const { type, confidence, probabilities } = answer;
  if (question.type === 'choice' && answer.type === 'choice') {
    const options = question.choices.map(({ value }, at) => [String(value), probabilities[at]]);
    return {
      type,
      choice: String(question.choices[answer.chosen]?.value),
      confidence,
      probabilities: Object.fromEntries(options),
    };
  }
  if (question.type !== 'score' || answer.type !== 'score') return refusal;
  return {
    type,
    score: fromZero(answer),
    confidence,
    legend: Object.fromEntries(question.levels.map(({ label }, at) => [at, label])),
    probabilities: Object.fromEntries(probabilities.map((probability, at) => [at, probability])),
  };
}

/** System One counts levels from 0, other vendors may not. */
function fromZero({ score, values, probabilities }: Extract<DecisionAnswer, { type: 'score' }>): number {
  if (values.every((value, at) => value === at)) return score;
  return probabilities.reduce((sum, probability, at) => sum + probability * at, 0);
}

const usageOf = ({ prompt_tokens, cost }: Usage) => ({
  input_tokens: prompt_tokens,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: prompt_tokens,
  ...(cost !== undefined && { cost }),
});
