import { unreadableAnswer } from '../faults/broken-answer.ts';
import { posted } from '../images/image-family.ts';
import { numberIn, probabilityIn, unusable } from '../decisions/read-answer.ts';
import { finiteNumber, isMembers, type Members, members } from '../read.ts';
import { faultIn } from './error.ts';
import type { OpenAiVendor } from './vendor.ts';
import type { DecisionsFormat } from '../spec/call-formats.ts';
import {
  type DecisionAnswer,
  type DecisionCall,
  decisionImages,
  type DecisionQuestion,
  subjectText,
} from '../spec/decision-call.ts';

const mostLevels = 10;

/** TypeSafe's System One: questions have names in place of an order, and images are not sent. */
export const systemOne = (vendor: OpenAiVendor, path = '/systemone'): DecisionsFormat => ({
  unsupported(call) {
    if (decisionImages(call) > 0) return 'input';
    return call.questions.some(isInexpressible) ? 'questions' : undefined;
  },
  request: ({ subject, questions }, { modelName }) =>
    posted(path, {
      model: modelName,
      state: subject.kind === 'state' ? subject.state : subjectText(subject),
      questions: Object.fromEntries(namesOf(questions).map((name, at) => [name, questionOf(questions[at])])),
    }),
  response(body, { questions }) {
    if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
    const fault = faultIn(body, vendor);
    if (fault !== undefined) throw fault;
    const found = members(body.answers);
    const names = namesOf(questions);
    const answers = questions.map((question, at) => answerOf(members(found[names[at] ?? '']), question, vendor.id));
    const promptTokens = finiteNumber(members(body.usage).input_tokens);
    return { answers, ...(promptTokens !== undefined && { promptTokens }) };
  },
});

/** Options differ by their text there. */
const isInexpressible = (question: DecisionQuestion): boolean =>
  question.type === 'choice'
    ? new Set(question.choices.map(({ value }) => String(value))).size < question.choices.length
    : question.type === 'score' && question.levels.length > mostLevels;

/** Questions without a name get one that no other has. */
function namesOf(questions: DecisionCall['questions']): string[] {
  const taken = new Set(questions.map(({ name }) => name));
  return questions.map(({ name }, at) => {
    if (name !== undefined) return name;
    let made = `question_${at + 1}`;
    while (taken.has(made)) made += '_';
    return made;
  });
}

function questionOf(question: DecisionQuestion | undefined): object {
  if (question === undefined) return {};
  const { instructions } = question;
  if (question.type === 'predicate') {
    const { criteria } = question;
    return { type: 'noul', instructions, ...(criteria !== undefined && { criteria }) };
  }
  if (question.type === 'choice') {
    const criteria = question.choices.map(({ value, description }) => [String(value), description ?? String(value)]);
    return { type: 'choice', instructions, criteria: Object.fromEntries(criteria) };
  }
  const levels = question.levels.map(({ label, description }) =>
    description === undefined ? label : `${label}: ${description}`,
  );
  return { type: 'score', instructions, criteria: levels };
}

const types = { predicate: 'noul', choice: 'choice', score: 'score' } as const;

function answerOf(found: Members, question: DecisionQuestion, providerId: string): DecisionAnswer {
  if (found.type !== types[question.type])
    throw unusable(providerId, 'is missing or of another type than its question');
  if (question.type === 'predicate') return { type: 'predicate', probability: probabilityIn(found.noul, providerId) };
  const confidence = probabilityIn(found.confidence, providerId);
  const listed = members(found.probabilities);
  if (question.type === 'choice') {
    const options = question.choices.map(({ value }) => String(value));
    const chosen = options.indexOf(String(found.choice));
    if (chosen < 0) throw unusable(providerId, 'chooses what is no choice');
    return {
      type: 'choice',
      chosen,
      confidence,
      probabilities: options.map((name) => probabilityIn(listed[name], providerId)),
    };
  }
  const values = question.levels.map((_, at) => at);
  const probabilities = values.map((at) => probabilityIn(listed[String(at)], providerId));
  return { type: 'score', score: numberIn(found.score, providerId), confidence, probabilities, values };
}
