import type { Trace } from './traceparent.ts';

export type AttributeValue = string | number | boolean | readonly string[];

export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

interface SpanStart {
  kind: 'server' | 'client' | 'internal';
  /** The traceparent of the parent. When it is missing or invalid, a new trace starts. */
  parent?: string | undefined;
  attributes?: Attributes;
  /** Start in milliseconds since 1970; now by default. */
  at?: number;
}

interface SpanEnd {
  attributes?: Attributes;
  /** The error as a word from a closed set, never a message: messages may contain user content. */
  error?: string | undefined;
  at?: number;
}

export interface Span {
  readonly trace: Trace;
  readonly traceparent: string;
  /** Ends the span. Only the first call counts. */
  end(end?: SpanEnd): void;
}

/** Traces of one process. Without a collector there is no Tracing, so it costs nothing. */
export interface Tracing {
  begin(name: string, start: SpanStart): Span;
  /** Runs work as part of a span: its log lines carry the ids of the span, and `current` returns it. */
  within<Result>(span: Pick<Span, 'trace'>, work: () => Result): Result;
  /** Binds work to the current span, for a later call. */
  keep<Arguments extends unknown[]>(work: (...given: Arguments) => void): (...given: Arguments) => void;
  /** The traceparent of the current span. */
  current(): string | undefined;
  /** Whether spans of provider calls carry the attributes of the GenAI conventions. */
  readonly genAi: boolean;
}
