import { GatewayError } from '@tallyport/contracts';

/** Throws `invalid_parameters` for a member that is wrong, named by its path. */
export function refuseMember(param: string, why: string): never {
  throw new GatewayError('invalid_parameters', `${param}: ${why}`, { param });
}

/** Throws `unsupported_parameter` for a member that its vendor has and a chat cannot express. */
export function refuseUnsupportedMember(param: string, why: string): never {
  throw new GatewayError('unsupported_parameter', `${param}: ${why}`, { param });
}
