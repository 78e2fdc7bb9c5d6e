import { z } from 'zod';
import { parsedBody } from '../parsed-body.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { refuseMember } from '../refuse-member.ts';
import { isStepContent, step, type StepBody, stepContent } from './step-schema.ts';

/** A step of a conversation, and where it is in the request, for errors. */
export interface PlacedStep {
  step: StepBody;
  path: string;
  /** The path of one of its contents. */
  contentPath(at: number): string;
}

const text = z.object({ input: z.string() });
const single = z.object({ input: stepContent });
const contents = z.object({ input: z.array(stepContent) });
const steps = z.object({ input: z.array(step) });

/** The steps of this request alone, however its input is written. Throws with the path of the first wrong member. */
export function readInputSteps({ input }: PlainObject): PlacedStep[] {
  if (input === undefined || input === null) return refuseMember('input', 'is missing');
  if (typeof input === 'string')
    return [asked([{ type: 'text', text: parsedBody(text, { input }).input }], () => 'input')];
  if (!Array.isArray(input)) return [asked([parsedBody(single, { input }).input], () => 'input')];
  if (isStepContent(input[0])) return [asked(parsedBody(contents, { input }).input, (at) => `input[${at}]`)];
  return parsedBody(steps, { input }).input.map((each, at) => placed(each, `input[${at}]`));
}

function asked(content: StepOfUser['content'], contentPath: (at: number) => string): PlacedStep {
  return { step: { type: 'user_input', content }, path: 'input', contentPath };
}

type StepOfUser = Extract<StepBody, { type: 'user_input' }>;

const placed = (each: StepBody, path: string): PlacedStep => ({
  step: each,
  path,
  contentPath: (at) => `${path}.content[${at}]`,
});

/** Steps of earlier interactions. Throws for one that only Google's models understand. */
export const readEarlier = (earlier: readonly unknown[]): PlacedStep[] =>
  earlier.map((each) => {
    const { success, data, error } = step.safeParse(each);
    if (success) return placed(data, previous);
    return refuseMember(previous, `a step of the conversation: ${error.issues[0]?.message ?? 'is unknown'}`);
  });

const previous = 'previous_interaction_id';

/** The input as steps, unread. */
export function stepsOfInput({ input }: PlainObject): readonly unknown[] {
  if (typeof input === 'string') return [{ type: 'user_input', content: [{ type: 'text', text: input }] }];
  if (Array.isArray(input)) return isStepContent(input[0]) ? [{ type: 'user_input', content: input }] : input;
  return isPlainObject(input) ? [{ type: 'user_input', content: [input] }] : [];
}
