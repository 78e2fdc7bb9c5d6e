import { type Operation, requestHeadSchema, responseHeadSchema, services } from '@switchyard/contracts';
import type { z } from 'zod';

/** One kind of message that one of our processes sends and another one reads. */
export interface MessageKind {
  /** `auth.authenticate.output`, as the recorded messages are kept. */
  name: string;
  schema: z.ZodType;
}

/** Everything that travels between our processes, apart from bodies, which are the API's own. */
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
