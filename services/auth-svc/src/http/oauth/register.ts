import { GatewayError, hashKey } from '@tallyport/contracts';
import type { ApiCaller } from '@tallyport/management-server';
import type { Request, RequestHandler } from 'express';
import { bindRegistration } from '../../oauth/bound-client.ts';
import { normaliseRegistration } from '../../oauth/normalise-registration.ts';

type RegisteredBy = Pick<ApiCaller, 'accountId' | 'actor'>;

export interface RegisterTools {
  /**
   * Resolves with the account and actor of the admin key with this hash, if it may be used from this address. Throws if
   * there is no such key.
   */
  callerOfAdminKey(keyHash: string, address: string): Promise<RegisteredBy | undefined>;
}

/** Adapts a registration to what the library accepts. Client credentials need the admin key of an account. */
export const register =
  ({ callerOfAdminKey }: RegisterTools): RequestHandler =>
  async (request, _response, next) => {
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject();
    const registration = normaliseRegistration({ ...body });
    const key = bearerOf(request);
    if (key !== undefined && registration.wantsClientCredentials) {
      const by = await callerOfAdminKey(hashKey(key), request.ip ?? '');
      if (by === undefined) throw needsKey();
      bindRegistration(request, { account_id: by.accountId, registered_by: by.actor });
      registration.body['grant_types'] = [...registration.grants, 'client_credentials'];
    } else if (registration.grants.length === 0) throw needsKey();
    request.body = registration.body;
    next();
  };

const bearerOf = (request: Request): string | undefined =>
  /^Bearer +(\S{1,512}) *$/i.exec(request.get('authorization') ?? '')?.[1];

const needsKey = (): GatewayError =>
  new GatewayError('invalid_api_key', 'register for client_credentials with an admin API key as bearer token');

const notAnObject = (): Error => Object.assign(new Error('The body must be a JSON object.'), { status: 400 });
