import type { Client, ExchangeRequest, ExchangeResponse } from '@switchyard/bus';
import type { authService, catalogService, chatService, imageService, RequestKind } from '@switchyard/contracts';

export interface Services {
  auth: Client<(typeof authService)['operations']>;
  catalog: Client<(typeof catalogService)['operations']>;
  chat: Client<(typeof chatService)['operations']>;
  image: Client<(typeof imageService)['operations']>;
}

/** A path whose requests travel over the bus. */
export interface RelayedRoute {
  method: 'GET' | 'POST';
  /** Whole, or open at its end: `/{id}` stands for whatever follows, slashes too. */
  path: string;
  /** `optional`: whoever sends a key sees what that key may see. */
  key: 'required' | 'optional';
  /** What its requests are counted as. */
  kind: RequestKind;
  /** Content types a body may have; none where there is no body. */
  accepts: readonly string[];
  open(request: ExchangeRequest): Promise<ExchangeResponse>;
}

const json = 'application/json';
const form = 'multipart/form-data';

/** The whole API that is not a page, a proxy or the health check. */
export const relayedRoutes = ({ auth, catalog, chat, image }: Services): readonly RelayedRoute[] => [
  { method: 'GET', path: '/v1/models', key: 'optional', kind: 'models', accepts: [], open: catalog.listModels },
  { method: 'GET', path: '/v1/models/{id}', key: 'optional', kind: 'models', accepts: [], open: catalog.getModel },
  { method: 'POST', path: '/v1/chat/completions', key: 'required', kind: 'chat', accepts: [json], open: chat.complete },
  { method: 'POST', path: '/v1/routes/explain', key: 'required', kind: 'models', accepts: [json], open: chat.explain },
  { method: 'GET', path: '/v1/usage', key: 'required', kind: 'models', accepts: [], open: auth.ownUsage },
  { method: 'GET', path: '/v1/key', key: 'required', kind: 'models', accepts: [], open: auth.ownKey },
  { method: 'GET', path: '/v1/providers', key: 'required', kind: 'models', accepts: [], open: chat.providers },
  {
    method: 'POST',
    path: '/v1/images/generations',
    key: 'required',
    kind: 'images',
    accepts: [json],
    open: image.generate,
  },
  {
    method: 'POST',
    path: '/v1/images/edits',
    key: 'required',
    kind: 'images',
    accepts: [json, form],
    open: image.edit,
  },
];
