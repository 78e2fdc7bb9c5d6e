import { isPlainObject, objectIn, type PlainObject } from '../plain-object.ts';
import { isStepContent } from './step-schema.ts';

/** The steps of a vendor's stream, put together from its events as a client does. */
interface StepFold {
  event(type: string, event: PlainObject): void;
  /** In order; `undefined` if they are larger than the bound. */
  whole(): PlainObject[] | undefined;
}

/** What is parsed here belongs to the fold, so it grows in place. */
type Growing = Record<string, unknown>;

interface GrowingStep {
  step: Growing;
  /** The JSON text of the arguments of a call. */
  written: string[];
}

/** What an event needs in memory besides its text, roughly. */
const eventOverhead = 200;

/** `maxBytes`: what of it is kept in memory at most, roughly. */
export function createStepFold(maxBytes: number): StepFold {
  const steps = new Map<number, GrowingStep>();
  let bytes = 0;
  let isWithin = true;

  function take(members: PlainObject): boolean {
    bytes += JSON.stringify(members).length + eventOverhead;
    if (bytes > maxBytes) {
      isWithin = false;
      steps.clear();
    }
    return isWithin;
  }

  return {
    event(type, event) {
      const { index, step, delta } = event;
      if (typeof index !== 'number' || !isWithin) return;
      if (type === 'step.start' && isPlainObject(step) && take(step))
        steps.set(index, { step: { ...step }, written: [] });
      const growing = steps.get(index);
      if (type === 'step.delta' && growing && isPlainObject(delta) && take(delta)) grow(growing, delta);
    },
    whole() {
      if (!isWithin) return undefined;
      return [...steps].toSorted(([one], [other]) => one - other).map(([, growing]) => finished(growing));
    },
  };
}

function grow({ step, written }: GrowingStep, delta: PlainObject): void {
  const { type } = delta;
  if (type === 'arguments_delta') written.push(textOf(delta.arguments));
  else if (type === 'thought_signature') step.signature = textOf(step.signature) + textOf(delta.signature);
  else if (type === 'thought_summary') addContent(listIn(step, 'summary'), delta.content);
  else if (type === 'text_annotation_delta') annotate(listIn(step, 'content').at(-1), delta.annotations);
  else if (isStepContent(delta)) addContent(listIn(step, 'content'), delta);
  else Object.assign(step, { ...delta, type: step.type });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isGrowing = (value: unknown): value is Growing => isPlainObject(value);

function listIn(holder: Growing, name: string): unknown[] {
  const list = holder[name];
  if (Array.isArray(list)) return list;
  const begun: unknown[] = [];
  holder[name] = begun;
  return begun;
}

/** Texts in a row are one. */
function addContent(contents: unknown[], added: unknown): void {
  if (!isPlainObject(added)) return;
  const last = contents.at(-1);
  if (added.type === 'text' && isGrowing(last) && last.type === 'text')
    last.text = textOf(last.text) + textOf(added.text);
  else contents.push({ ...added });
}

function annotate(last: unknown, annotations: unknown): void {
  if (!isGrowing(last) || !Array.isArray(annotations)) return;
  const list = listIn(last, 'annotations');
  for (const annotation of annotations) list.push(annotation);
}

function finished({ step, written }: GrowingStep): PlainObject {
  if (written.length === 0) return step;
  return { ...step, arguments: objectIn(written.join('')) ?? step.arguments ?? {} };
}
