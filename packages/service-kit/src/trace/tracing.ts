import type { Trace } from './traceparent.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanStart {
  kind: 'server' | 'client' | 'internal';
  /** The traceparent it goes on from; anything else, or nothing, begins a trace. */
  parent?: string | undefined;
  attributes?: Attributes;
  /** Milliseconds since 1970; now when not told. */
  at?: number;
}

export interface SpanEnd {
  attributes?: Attributes;
  /** What went wrong, in a word from a closed set. Messages may hold what people wrote and are not told. */
  error?: string | undefined;
  at?: number;
}

export interface Span {
  readonly trace: Trace;
  readonly traceparent: string;
  /** The first end counts. */
  end(end?: SpanEnd): void;
}

/** Traces of one process. There is none where nobody collects them: what is not there costs nothing. */
export interface Tracing {
  begin(name: string, start: SpanStart): Span;
  /** Runs work as part of a span: log lines of it carry its ids, and `current` tells it. */
  within<Result>(span: Pick<Span, 'trace'>, work: () => Result): Result;
  /** The work as part of what runs now, whenever it is called. */
  keep<Arguments extends unknown[]>(work: (...given: Arguments) => void): (...given: Arguments) => void;
  /** The traceparent of what runs now. */
  current(): string | undefined;
  /** Whether spans of provider calls carry the attributes of the GenAI conventions. */
  readonly genAi: boolean;
}
