import type { Client } from '@tallyport/bus';
import {
  type authService,
  type batchService,
  GatewayError,
  type ledgerService,
  type ManageAnswer,
  type ManageRequest,
} from '@tallyport/contracts';
import {
  batchPart,
  type CallOperation,
  ledgerPart,
  type ManagementOperations,
  managementOperations,
} from '@tallyport/management';
import type { z } from 'zod';

/** The services that answer the management API. */
export interface ManagementClients {
  auth: Pick<Client<(typeof authService)['operations']>, 'manage'>;
  batch: Pick<Client<(typeof batchService)['operations']>, 'manage'>;
  ledger: Pick<Client<(typeof ledgerService)['operations']>, 'manage'>;
}

/** A request of a browser to a page. */
type BrowserRequest = Omit<ManageRequest, 'operation' | 'input'> & {
  requestId: string;
  /** Receives the `Set-Cookie` headers of operations that change the session. */
  setCookie(headers: readonly string[]): void;
};

type Answer<Name extends keyof ManagementOperations> = Omit<ManageAnswer, 'output'> & {
  output: z.output<ManagementOperations[Name]['output']>;
};

export type Management = <Name extends keyof ManagementOperations>(name: Name, input?: object) => Promise<Answer<Name>>;

/** Changing a password takes a fifth of a second and may queue behind thirty others. Edge waits a little longer. */
const timeoutMs = 25_000;

/** The management API for this browser, called over the bus. */
export function managementFor(
  clients: ManagementClients,
  { requestId, setCookie, ...browser }: BrowserRequest,
): Management {
  return async <Name extends keyof ManagementOperations>(name: Name, input: object = {}) => {
    const request = { ...browser, operation: name, input };
    const options = { timeoutMs, requestId };
    const answer = await manageIn(clients, name)(request, options);
    setCookie(answer.setCookie);
    const schema: z.ZodType = managementOperations[name].output;
    const output = schema.safeParse(answer.output);
    if (!output.success) throw unreadable(output.error);
    return { ...answer, output: output.data as z.output<ManagementOperations[Name]['output']> };
  };
}

/** The service that answers the operation. */
function manageIn({ auth, batch, ledger }: ManagementClients, name: string): ManagementClients['auth']['manage'] {
  if (batchPart.has(name)) return batch.manage;
  return ledgerPart.has(name) ? ledger.manage : auth.manage;
}

/** The same without the details of the call. */
export const withoutDetails =
  (manage: Management): CallOperation =>
  async (name, input) =>
    (await manage(name, input)).output;

const unreadable = (cause: unknown): GatewayError =>
  new GatewayError('internal_error', 'A service returned a response that cannot be read.', { cause });
