import type { ErrorCode } from '@tallyport/contracts';
import type { z } from 'zod';

/** A request that works on a fresh installation. Tests send every example. */
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
  /** Keyed by content type. */
  content?: Readonly<Record<string, AnswerContent>>;
  headers?: readonly string[];
}

export interface AnswerContent {
  schema: z.ZodType;
  /** The answer is a stream of events; `schema` describes each event. */
  events?: true;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  schema: z.ZodType;
  example?: string;
}

/** One operation of the API as the document describes it. */
export interface DescribedOperation {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** `oauth`: clients authenticate with their own credentials. */
  access: 'open' | 'optional' | 'key' | 'management' | 'oauth';
  parameters?: readonly Parameter[];
  body?: Readonly<Record<string, Body>>;
  answers: Readonly<Record<string, Answer>>;
  failures: readonly ErrorCode[];
}
