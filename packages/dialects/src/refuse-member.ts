import { GatewayError } from '@tallyport/contracts';

/** Throws `invalid_parameters` for a member that is wrong or that a chat cannot express, named by its path. */
export function refuseMember(param: string, why: string): never {
  throw new GatewayError('invalid_parameters', `${param}: ${why}`, { param });
}
