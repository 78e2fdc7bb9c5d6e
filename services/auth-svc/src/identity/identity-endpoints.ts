import { identityOperations as operations } from '@switchyard/management';
import { type ApiEndpoint, endpoint } from '../api/operation.ts';
import type { Identity } from './document/read-identity.ts';

export interface IdentityEndpointTools {
  /** The document in force. */
  identity(): Identity;
}

export const identityEndpoints = ({ identity }: IdentityEndpointTools): ApiEndpoint[] => [
  endpoint(operations.readIdentity, async () => {
    const { passwords, providers, workloads } = identity();
    // The schema of the output leaves out secrets and the keys of issuers.
    return operations.readIdentity.output.parse({ passwords, providers, workloads });
  }),
];
