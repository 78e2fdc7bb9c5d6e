import { checkedRequest, decisionRequest, mostQuestions, stateRequest } from '@tallyport/endpoints';
import { estimateInputs } from '@tallyport/pricing';
import {
  type DecisionCall,
  decisionImages,
  type DecisionQuestion,
  decisionTexts,
  subjectText,
} from '@tallyport/providers';
import type { PromptFacts } from '@tallyport/serving';
import type { z } from 'zod';
import { wrongMember } from '../wrong-member.ts';

interface ReadDecision {
  model: string;
  call: DecisionCall;
  /** As the client wrote it. */
  endUser?: unknown;
}

/** Checks a request in OpenAI's form. Throws `invalid_parameters` with the path of the member. */
export function asDecisionRequest(value: unknown): ReadDecision {
  const {
    model,
    input,
    questions,
    models: _models,
    provider: _provider,
    ...hints
  } = checkedRequest(decisionRequest, value);
  refuseTwice(questions.map(({ name }) => name));
  const asked = questions.map((question) => ({ ...question, instructions: textOf(question.instructions) }));
  return {
    model,
    call: { subject: { kind: 'input', input }, questions: asked, hints },
    endUser: hints.safety_identifier,
  };
}

/** Checks a request in the form of System One. */
export function asStateRequest(value: unknown): ReadDecision {
  const { model, state, questions } = checkedRequest(stateRequest, value);
  const given = Object(value) as { questions: object };
  const entries = Object.entries(questions);
  // A name that no map keeps, such as `__proto__`.
  if (entries.length < Object.keys(given.questions).length)
    throw wrongMember('questions', 'has a name that is not possible');
  if (entries.length === 0) throw wrongMember('questions', 'must not be empty');
  if (entries.length > mostQuestions) throw wrongMember('questions', `must have at most ${mostQuestions} entries`);
  const asked = entries.map(([name, question]) => namedQuestion(name, question));
  return { model, call: { subject: { kind: 'state', state }, questions: asked, hints: {} } };
}

export const decisionFacts = (call: DecisionCall): PromptFacts => ({
  tokens: () => estimateInputs(decisionTexts(call), decisionImages(call)),
  modalities: () => (decisionImages(call) > 0 ? ['text', 'image'] : ['text']),
  beginning: () => subjectText(call.subject),
});

type Asked = z.infer<typeof decisionRequest>['questions'][number];

const textOf = (instructions: Asked['instructions']): string =>
  typeof instructions === 'string' ? instructions : instructions.map(({ text }) => text).join('\n');

const mostOptions = 255;

function namedQuestion(name: string, question: z.infer<typeof stateRequest>['questions'][string]): DecisionQuestion {
  const { instructions } = question;
  if (question.type === 'noul') {
    return { type: 'predicate', name, instructions, criteria: question.criteria };
  }
  if (question.type === 'score') {
    return { type: 'score', name, instructions, levels: question.criteria.map((label) => ({ label })) };
  }
  const choices = Object.entries(question.criteria).map(([value, description]) => ({ value, description }));
  if (choices.length === 0 || choices.length > mostOptions)
    throw wrongMember(`questions.${name}.criteria`, `must have 1 to ${mostOptions} entries`);
  return { type: 'choice', name, instructions, choices };
}

function refuseTwice(names: readonly (string | undefined)[]): void {
  const seen = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (name === undefined) continue;
    if (seen.has(name)) throw wrongMember(`questions[${at}].name`, 'is the name of another question');
    seen.add(name);
  }
}
