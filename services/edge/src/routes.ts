import type { IncomingMessage } from 'node:http';
import type { Client, ExchangeRequest, ExchangeResponse } from '@tallyport/bus';
import {
  type authService,
  type batchService,
  type catalogService,
  type chatService,
  type Endpoint,
  endpoints,
  type ExchangeName,
  type imageService,
  type ledgerService,
  type ServiceOfEndpoints,
} from '@tallyport/contracts';

export interface Services {
  auth: Client<(typeof authService)['operations']>;
  batch: Client<(typeof batchService)['operations']>;
  catalog: Client<(typeof catalogService)['operations']>;
  chat: Client<(typeof chatService)['operations']>;
  image: Client<(typeof imageService)['operations']>;
  ledger: Client<(typeof ledgerService)['operations']>;
}

/** A route whose requests are relayed over the bus. */
export interface RelayedRoute extends Omit<Endpoint, 'service' | 'exchange'> {
  /** The path of the route in metrics, traces and logs; `path` if absent. */
  countedAs?: string;
  /** The `{id}` is the model. */
  namesModel?: true;
  open(request: ExchangeRequest, of: IncomingMessage): Promise<ExchangeResponse>;
}

type Open = RelayedRoute['open'];
type Exchanges = { readonly [Service in ServiceOfEndpoints]: Readonly<Record<ExchangeName<Service>, Open>> };

/** All API routes except pages, paths of services that answer HTTP themselves, and the health check. */
export const relayedRoutes = (clients: Exchanges): readonly RelayedRoute[] =>
  endpoints.map(({ service, exchange, ...endpoint }) => {
    const exchanges: Readonly<Partial<Record<string, Open>>> = clients[service];
    const open = exchanges[exchange];
    if (open === undefined) throw new TypeError(`The client of ${service} has no exchange ${exchange}.`);
    return { ...endpoint, open };
  });
