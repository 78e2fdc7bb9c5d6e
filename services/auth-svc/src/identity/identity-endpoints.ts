import { identityOperations as operations } from '@tallyport/management';
import type { Database } from '@tallyport/database';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { Identity } from './document/read-identity.ts';
import { missingPlaces } from './places/missing-places.ts';

export interface IdentityEndpointTools {
  database: Database;
  /** The document in force. */
  identity(): Identity;
}

export const identityEndpoints = ({ database, identity }: IdentityEndpointTools): ApiEndpoint[] => [
  endpoint(operations.readIdentity, async () => {
    const { passwords, providers, workloads } = identity();
    const problems = await missingPlaces(database, { providers, workloads });
    // The schema of the output leaves out secrets and the keys of issuers.
    return operations.readIdentity.output.parse({ passwords, providers, workloads, problems });
  }),
];
