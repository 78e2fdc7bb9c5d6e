import { GatewayError } from '@switchyard/contracts';

/** A field of a form. Its name is the path of the member in the management API, such as `limits.concurrency`. */
export interface FieldSpec {
  name: string;
  label: string;
  kind: 'text' | 'email' | 'secret' | 'number' | 'time' | 'lines' | 'choice' | 'flag';
  hint?: string;
  required?: boolean;
  placeholder?: string;
  /** What stands in the field before anybody has written there. */
  initial?: string;
  /** Of numbers. */
  unit?: string;
  choices?: readonly { value: string; text: string }[];
  /** Suggestions; anything else may be written as well. */
  suggestions?: readonly string[];
  /** Says nothing unless this other field is filled in. */
  onlyWith?: string;
  autocomplete?: string;
}

export type FieldValues = Readonly<Record<string, string>>;

type Input = Record<string, unknown>;

/**
 * The input for the management API. An empty field is left out; `emptied` says that the whole member is to be taken
 * away instead, as the API's null does.
 */
export function inputOf(specs: readonly FieldSpec[], values: FieldValues, { emptied = false } = {}): Input {
  const input: Input = {};
  for (const spec of specs) {
    const text = textIn(spec, values);
    if (spec.required && text === '') throw problemAt(spec.name, 'Fill this in.');
    if (text !== '') put(input, spec.name.split('.'), valueOf(spec, text));
    else if (emptied && !spec.required) input[topOf(spec.name)] ??= null;
  }
  return input;
}

/** The other way around: what stands in the fields of a form that changes something. */
export const fieldValues = (specs: readonly FieldSpec[], record: object): FieldValues =>
  Object.fromEntries(
    specs.flatMap(({ name, kind }) => {
      const value = name.split('.').reduce<unknown>(memberOf, record);
      return value === undefined || value === null ? [] : [[name, written(kind, value)]];
    }),
  );

export const problemAt = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param });

/** As it was written where it is secret. */
function textIn({ name, kind, onlyWith }: FieldSpec, values: FieldValues): string {
  const text = values[name] ?? '';
  if (onlyWith !== undefined && (values[onlyWith] ?? '').trim() === '') return '';
  return kind === 'secret' ? text : text.trim();
}

const topOf = (name: string): string => name.split('.')[0] ?? name;

function valueOf({ kind, name }: FieldSpec, text: string): unknown {
  switch (kind) {
    case 'number':
      if (!/^\d{1,15}$/.test(text)) throw problemAt(name, 'This must be a whole number, such as 60.');
      return Number(text);
    case 'time':
      if (Number.isNaN(Date.parse(`${text}Z`))) throw problemAt(name, 'This must be a date and a time.');
      return new Date(`${text}Z`).toISOString();
    case 'lines':
      return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
    case 'flag':
      return true;
    case 'text':
    case 'email':
    case 'secret':
    case 'choice':
      return text;
    default:
      return kind satisfies never;
  }
}

function written(kind: FieldSpec['kind'], value: unknown): string {
  if (kind === 'time') return new Date(String(value)).toISOString().slice(0, 16);
  return Array.isArray(value) ? value.join('\n') : String(value);
}

function put(into: Input, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const there = into[name];
  const inside: Input = typeof there === 'object' && there !== null ? { ...there } : {};
  put(inside, rest, value);
  into[name] = inside;
}

const memberOf = (from: unknown, name: string): unknown =>
  typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
