import { GatewayError } from '@tallyport/contracts';

export const binaryMessage = (): GatewayError =>
  new GatewayError('invalid_json', 'Send JSON in text messages. This one was binary.');
