export * from './traceparent.ts';
export { tracedLink } from './traced-link.ts';
export type { Attributes, Span, Tracing } from './tracing.ts';
