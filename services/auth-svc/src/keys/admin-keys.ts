import { GatewayError } from '@tallyport/contracts';

export const notForAdminKeys = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'Only admins and owners can create and change admin keys, and in the default account only owners. Ask one of them.',
    { param: 'admin' },
  );
