export * from './traceparent.ts';
export { tracedLink } from './traced-link.ts';
export type { Attributes, Span, SpanEnd, SpanStart, Tracing } from './tracing.ts';
