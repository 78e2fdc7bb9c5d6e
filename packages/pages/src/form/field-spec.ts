import { GatewayError } from '@tallyport/contracts';

/** A field of a form. Its name is the path of the member in the management API, for example `limits.concurrency`. */
export interface FieldSpec {
  name: string;
  label: string;
  /** `lines` is a list with one value in each line, `document` a text of any number of lines. */
  kind: 'text' | 'email' | 'secret' | 'number' | 'day' | 'time' | 'lines' | 'document' | 'choice' | 'flag';
  hint?: string;
  required?: boolean;
  placeholder?: string;
  /** The initial value. */
  initial?: string;
  /** Whether a number may have decimals. */
  decimals?: true;
  /** The unit of a number. */
  unit?: string;
  choices?: readonly { value: string; text: string }[];
  /** Suggested values; others are allowed. */
  suggestions?: readonly string[];
  /** The field is ignored unless this other field is filled. */
  onlyWith?: string;
  autocomplete?: string;
}

export type FieldValues = Readonly<Record<string, string>>;

type Input = Record<string, unknown>;

/**
 * Converts posted fields to the input of the management API. An empty field is omitted; with `emptied`, the whole
 * member becomes null, which removes it.
 */
export function inputOf(specs: readonly FieldSpec[], values: FieldValues, { emptied = false } = {}): Input {
  const input: Input = {};
  for (const spec of specs) {
    const text = textIn(spec, values);
    if (spec.required && text === '') throw problemAt(spec.name, 'This field is required.');
    if (text !== '') put(input, spec.name.split('.'), valueOf(spec, text));
    else if (emptied && !spec.required) input[topOf(spec.name)] ??= null;
  }
  return input;
}

/** Converts a record to the initial values of a form. */
export const fieldValues = (specs: readonly FieldSpec[], record: object): FieldValues =>
  Object.fromEntries(
    specs.flatMap(({ name, kind }) => {
      const value = name.split('.').reduce<unknown>(memberOf, record);
      return value === undefined || value === null ? [] : [[name, textOf(kind, value)]];
    }),
  );

export const problemAt = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param });

/** Secrets are not trimmed. */
function textIn({ name, kind, onlyWith }: FieldSpec, values: FieldValues): string {
  const text = values[name] ?? '';
  if (onlyWith !== undefined && (values[onlyWith] ?? '').trim() === '') return '';
  return kind === 'secret' ? text : text.trim();
}

const topOf = (name: string): string => name.split('.')[0] ?? name;

function valueOf(spec: FieldSpec, text: string): unknown {
  const { kind, name } = spec;
  switch (kind) {
    case 'number':
      return numberIn(spec, text);
    case 'time':
      if (Number.isNaN(Date.parse(`${text}Z`))) throw problemAt(name, 'Enter a date and a time.');
      return new Date(`${text}Z`).toISOString();
    case 'lines':
      return text.split(/[\n,]/).flatMap((line) => line.trim() || []);
    case 'flag':
      return true;
    case 'text':
    case 'email':
    case 'secret':
    case 'day':
    case 'document':
    case 'choice':
      return text;
    default:
      return kind satisfies never;
  }
}

function numberIn({ name, decimals }: FieldSpec, text: string): number {
  if (decimals === true) {
    if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw problemAt(name, 'Enter a number, for example 99.5.');
  } else if (!/^\d{1,15}$/.test(text)) throw problemAt(name, 'Enter a whole number, for example 60.');
  return Number(text);
}

function textOf(kind: FieldSpec['kind'], value: unknown): string {
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
