import { GatewayError, hashKey } from '@switchyard/contracts';
import type { Request, RequestHandler } from 'express';
import { normaliseRegistration } from '../../oauth/normalise-registration.ts';

export interface RegisterTools {
  /** The account of the admin key with this hash, from this address. Throws when it is none. */
  accountOfAdminKey(keyHash: string, address: string): Promise<string>;
}

/** Makes of a registration what the library takes. One that wants to act without a person needs an account that lets it. */
export const register =
  ({ accountOfAdminKey }: RegisterTools): RequestHandler =>
  async (request, _response, next) => {
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw Object.assign(new Error('not an object'), { status: 400 });
    }
    const registration = normaliseRegistration({ ...body });
    const key = bearerOf(request);
    if (key !== undefined && registration.wantsClientCredentials) {
      registration.body['account_id'] = await accountOfAdminKey(hashKey(key), request.ip ?? '');
      allowClientCredentials(registration.body);
    } else if (registration.wantsClientCredentials && isEmpty(registration.body['grant_types'])) {
      throw new GatewayError(
        'invalid_api_key',
        'register for client_credentials with an admin API key as bearer token',
      );
    }
    request.body = registration.body;
    next();
  };

function allowClientCredentials(body: Record<string, unknown>): void {
  body['grant_types'] = [...(Array.isArray(body['grant_types']) ? body['grant_types'] : []), 'client_credentials'];
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const bearerOf = (request: Request): string | undefined =>
  /^Bearer +(\S{1,512}) *$/i.exec(request.get('authorization') ?? '')?.[1];
