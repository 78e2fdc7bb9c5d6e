import type { ErrorCode } from '@switchyard/contracts';
import type { z } from 'zod';

/** A request that works on a fresh installation: tests send every one of them. */
export interface Example {
  summary: string;
  value: unknown;
}

export interface Body {
  schema: z.ZodType;
  examples?: Readonly<Record<string, Example>>;
}

export interface Answer {
  description: string;
  /** By content type. */
  content?: Readonly<Record<string, AnswerContent>>;
  headers?: readonly string[];
}

export interface AnswerContent {
  schema: z.ZodType;
  /** Of a stream of events: `schema` is what each of them holds. */
  events?: true;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: z.ZodType;
  example?: string;
}

/** One thing that can be asked for, as it is described. */
export interface DescribedOperation {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** `page`: for browsers; `oauth`: clients show their own credentials. */
  access: 'open' | 'optional' | 'key' | 'management' | 'oauth';
  parameters?: readonly Parameter[];
  body?: Readonly<Record<string, Body>>;
  answers: Readonly<Record<string, Answer>>;
  failures: readonly ErrorCode[];
}
