import { items, members } from '../read.ts';

/** An option of a choice: a text and a boolean of the same name are different. */
interface DecisionChoice {
  readonly value: string | boolean;
  readonly description?: string | undefined;
}

/** A level of a scale, the lowest first. */
interface DecisionLevel {
  readonly label: string;
  readonly description?: string | undefined;
}

interface Asked {
  /** Absent if the client gave none. */
  readonly name?: string | undefined;
  readonly instructions: string;
}

/** What true and false mean. */
interface Outcomes {
  readonly true?: string | undefined;
  readonly false?: string | undefined;
}

export type DecisionQuestion =
  | (Asked & { readonly type: 'predicate'; readonly criteria?: Outcomes | undefined })
  | (Asked & { readonly type: 'choice'; readonly choices: readonly DecisionChoice[] })
  | (Asked & { readonly type: 'score'; readonly levels: readonly DecisionLevel[] });

/** What the questions are about: OpenAI's `input`, or the `state` of System One, which is any JSON. */
type DecisionSubject =
  | { readonly kind: 'input'; readonly input: string | readonly object[] }
  | { readonly kind: 'state'; readonly state: unknown };

/** A request for decisions, as the client sent it. Names are unique. */
export interface DecisionCall {
  readonly subject: DecisionSubject;
  readonly questions: readonly DecisionQuestion[];
  /** Further members of OpenAI's request: hints for its cache, and a label for abuse detection. */
  readonly hints: object;
}

/** Probabilities are in the order of the choices or levels. */
export type DecisionAnswer =
  | { readonly type: 'predicate'; readonly probability: number }
  | {
      readonly type: 'choice';
      /** The place of the choice in the question. */
      readonly chosen: number;
      readonly confidence: number;
      readonly probabilities: readonly number[];
    }
  | {
      readonly type: 'score';
      readonly score: number;
      readonly confidence: number;
      readonly probabilities: readonly number[];
      /** What each level counts; System One counts from 0. */
      readonly values: readonly number[];
    }
  | { readonly type: 'refusal' };

/** What a vendor answered, in the order of the questions. */
export interface DecisionsAnswer {
  readonly answers: readonly DecisionAnswer[];
  readonly promptTokens?: number;
}

/** All texts of a call, for estimates and logs. */
export const decisionTexts = ({ subject, questions }: DecisionCall): string[] => [
  subjectText(subject),
  ...questions.flatMap((question) => [question.instructions, ...optionTexts(question)]),
];

function optionTexts(question: DecisionQuestion): string[] {
  if (question.type === 'predicate') return [question.criteria?.true ?? '', question.criteria?.false ?? ''];
  if (question.type === 'choice')
    return question.choices.flatMap((each) => [String(each.value), each.description ?? '']);
  return question.levels.flatMap((each) => [each.label, each.description ?? '']);
}

/** The subject as one text; what is no text in it is written as JSON. */
export function subjectText(subject: DecisionSubject): string {
  if (subject.kind === 'state')
    return typeof subject.state === 'string' ? subject.state : JSON.stringify(subject.state);
  const { input } = subject;
  return typeof input === 'string' ? input : input.map(itemText).join('\n');
}

function itemText(item: object): string {
  const { content } = members(item);
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partText).join('\n') : JSON.stringify(item);
}

function partText(part: unknown): string {
  const { text, type } = members(part);
  if (typeof text === 'string') return text;
  return type === 'input_image' ? '' : JSON.stringify(part);
}

/** How many images the questions are about. */
export const decisionImages = ({ subject }: DecisionCall): number =>
  subject.kind === 'input' && typeof subject.input !== 'string'
    ? subject.input.reduce((count, item) => count + imagesIn(item), 0)
    : 0;

/** In the content of a message, or in the output of a tool. */
function imagesIn(item: object): number {
  const { content, output } = members(item);
  return [...items(content), ...items(output)].filter((part) => members(part).type === 'input_image').length;
}
