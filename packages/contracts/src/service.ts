import type { z } from 'zod';

/** One message each way, validated at both ends. Invalid input is the caller's fault, invalid output is ours. */
export interface Call<Input = unknown, Output = unknown> {
  readonly kind: 'call';
  readonly input: z.ZodType<Input>;
  readonly output: z.ZodType<Output>;
}

/** HTTP semantics with the body as bytes: a typed head and a byte stream, both ways. */
export interface Exchange {
  readonly kind: 'exchange';
}

/** Sent once to every listener, best effort. Losing one must only delay a change, never break correctness. */
export interface Notice<Payload = unknown> {
  readonly kind: 'notice';
  readonly payload: z.ZodType<Payload>;
}

/** Durable, at least once, deduplicated by `id`. */
export interface Journal<Entry extends { id: string } = { id: string }> {
  readonly kind: 'journal';
  readonly entry: z.ZodType<Entry>;
  /** The service whose journal it was: entries and readers of earlier releases are found there. */
  readonly keptFor?: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a schema is invariant in its type: only `any` accepts every schema.
export type Operation = Call<any, any> | Exchange | Notice<any> | Journal<any>;

/** A service as data: its name on the bus and its operations. */
export interface ServiceContract<Operations extends Record<string, Operation> = Record<string, Operation>> {
  readonly name: string;
  readonly operations: Operations;
}

export const call = <Input, Output>(input: z.ZodType<Input>, output: z.ZodType<Output>): Call<Input, Output> => ({
  kind: 'call',
  input,
  output,
});

export const exchange = (): Exchange => ({ kind: 'exchange' });

export const notice = <Payload>(payload: z.ZodType<Payload>): Notice<Payload> => ({ kind: 'notice', payload });

export const journal = <Entry extends { id: string }>(
  entry: z.ZodType<Entry>,
  place: { keptFor?: string } = {},
): Journal<Entry> => ({ kind: 'journal', entry, ...place });

export const service = <Operations extends Record<string, Operation>>(
  name: string,
  operations: Operations,
): ServiceContract<Operations> => ({ name, operations });
