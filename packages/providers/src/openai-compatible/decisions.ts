import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import { numberIn, probabilityIn, unusable } from '../decisions/read-answer.ts';
import { finiteNumber, isMembers, items, type Members, members } from '../read.ts';
import type { DecisionsFormat } from '../spec/call-formats.ts';
import { type DecisionAnswer, type DecisionQuestion, subjectText } from '../spec/decision-call.ts';
import { faultIn } from './error.ts';
import type { OpenAiVendor } from './vendor.ts';

/** OpenAI's decisions, which servers of open models have as well. */
export const openAiDecisions = (vendor: OpenAiVendor, path = '/decisions'): DecisionsFormat => ({
  unsupported: ({ questions }) => (questions.some(hasOneChoice) ? 'questions' : undefined),
  request: ({ subject, questions, hints }, { modelName }) =>
    posted(path, {
      model: modelName,
      input: subject.kind === 'input' ? subject.input : subjectText(subject),
      questions: questions.map(withoutCriteria),
      ...hints,
    }),
  response(body, { questions }) {
    if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
    const fault = faultIn(body, vendor);
    if (fault !== undefined) throw fault;
    const found = items(body.answers);
    if (found.length !== questions.length)
      throw unreadableAnswer(vendor.id, `${found.length} answers for ${questions.length} questions`);
    const answers = questions.map((question, at) => answerOf(members(found[at]), question, vendor.id));
    const promptTokens = finiteNumber(members(body.usage).input_tokens);
    return { answers, ...(promptTokens !== undefined && { promptTokens }) };
  },
});

const hasOneChoice = (question: DecisionQuestion): boolean => question.type === 'choice' && question.choices.length < 2;

/** OpenAI has no member for what true and false mean. */
function withoutCriteria(question: DecisionQuestion): object {
  if (question.type !== 'predicate' || question.criteria === undefined) return question;
  const { criteria, instructions, ...others } = question;
  const meanings = Object.entries(criteria).map(([outcome, meaning]) => `${outcome}: ${meaning ?? outcome}`);
  return { ...others, instructions: [instructions, ...meanings].join('\n') };
}

function answerOf(found: Members, question: DecisionQuestion, providerId: string): DecisionAnswer {
  if (found.type === 'refusal') return { type: 'refusal' };
  if (found.type !== question.type) throw unusable(providerId, 'is of another type than its question');
  if (question.type === 'predicate')
    return { type: 'predicate', probability: probabilityIn(found.probability, providerId) };
  const listed = items(found.probabilities).map(members);
  const confidence = probabilityIn(found.confidence, providerId);
  if (question.type === 'choice') {
    const chosen = question.choices.findIndex(({ value }) => value === found.choice);
    if (chosen < 0) throw unusable(providerId, 'chooses what is no choice');
    const given = new Map(listed.map(({ value, probability }) => [value, probability]));
    const probabilities = question.choices.map(({ value }) => probabilityIn(given.get(value), providerId));
    return { type: 'choice', chosen, confidence, probabilities };
  }
  if (listed.length !== question.levels.length) throw unusable(providerId, 'has not one probability for each level');
  return {
    type: 'score',
    score: numberIn(found.score, providerId),
    confidence,
    probabilities: listed.map(({ probability }) => probabilityIn(probability, providerId)),
    values: listed.map(({ value }) => numberIn(value, providerId)),
  };
}
