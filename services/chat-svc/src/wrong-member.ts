import { GatewayError } from '@tallyport/contracts';

/** What is wrong with a member of a body, such as `input[0]`. */
export const wrongMember = (param: string, why: string): GatewayError =>
  new GatewayError('invalid_parameters', `${param}: ${why}.`, { param });
