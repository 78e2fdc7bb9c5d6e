import { type Operation, requestHeadSchema, responseHeadSchema, services } from '@tallyport/contracts';
import type { z } from 'zod';

/** One kind of message between our processes. */
interface MessageKind {
  /** The name of its recorded messages, for example `auth.authenticate.output`. */
  name: string;
  schema: z.ZodType;
}

/** All messages between our processes, except for bodies, which belong to the API. */
export const messageKinds: readonly MessageKind[] = [
  { name: 'exchange.head.request', schema: requestHeadSchema },
  { name: 'exchange.head.response', schema: responseHeadSchema },
  ...services.flatMap(({ name: service, operations }) =>
    Object.entries<Operation>(operations).flatMap(([operation, contract]) =>
      Object.entries(schemasOf(contract)).map(([part, schema]) => ({
        name: `${service}.${operation}.${part}`,
        schema,
      })),
    ),
  ),
];

function schemasOf(operation: Operation): Record<string, z.ZodType> {
  switch (operation.kind) {
    case 'call':
      return { input: operation.input, output: operation.output };
    case 'exchange':
      return {};
    case 'notice':
      return { payload: operation.payload };
    case 'journal':
      return { entry: operation.entry };
    default:
      return operation satisfies never;
  }
}
