import { fileURLToPath } from 'node:url';
import { GatewayError } from '@tallyport/contracts';
import { type Html, messagePage, pageSecurityHeaders, render } from '@tallyport/pages';
import type { Request, RequestHandler, Response } from 'express';
import { answerPreflight, corsHeaders } from '../http/cors.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { areasOf } from './areas.ts';
import { documentFile, readReferenceDocument } from './document.ts';
import { findOperations, longestQuery, type Reference } from './find-operations.ts';
import { areaPage, introductionPage, searchAddress, searchPage } from './pages.ts';

const methods = ['GET', 'HEAD'] as const;
const caching = { 'cache-control': 'public, max-age=300' } as const;

interface ReferencePath {
  path: string;
  handler: RequestHandler;
}

/** The OpenAPI document, and pages made from it. All are public; any page may read the document. */
export function referencePaths(originOf: (request: Request) => string): readonly ReferencePath[] {
  const read = once(readReference);
  return [
    { path: '/openapi.json', handler: reading(sendDocument) },
    {
      path: '/docs',
      handler: reading((request, response) => sendPage(response, introductionPage(read(), originOf(request)))),
    },
    {
      path: searchAddress,
      handler: reading((request, response) => sendPage(response, searchPage(read(), queryOf(request)))),
    },
    {
      path: `${searchAddress}/places`,
      handler: reading((request, response) => {
        response.set({ ...securityHeaders, ...caching }).json({ places: placesOf(read(), queryOf(request)) });
      }),
    },
    {
      path: '/docs/:area',
      handler: reading((request, response) => {
        const area = read().areas.find(({ slug }) => slug === request.params['area']);
        if (area === undefined) return sendPage(response.status(404), unknownArea);
        sendPage(response, areaPage(area, { ...read(), origin: originOf(request) }));
      }),
    },
  ];
}

/** Most processes never show a page, so the document is read for the first one. */
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function readReference(): Reference {
  const document = readReferenceDocument();
  return { document, areas: areasOf(document) };
}

const queryOf = ({ query }: Request): string =>
  typeof query['q'] === 'string' ? query['q'].trim().slice(0, longestQuery) : '';

/** What the dialog of the pages lists. */
const placesOf = (reference: Reference, text: string) =>
  findOperations(reference, text).map(({ area, operation, href }) => ({
    kind: area.title,
    text: `${operation.method} ${operation.path}`,
    href,
  }));

const unknownArea = messagePage({
  title: 'This page does not exist',
  text: 'The reference has one page for each area of the API.',
  link: { href: '/docs', text: 'All areas' },
});

function sendPage(response: Response, page: Html): void {
  const headers = pageSecurityHeaders({ hasScripts: true, hasRequests: true });
  response
    .set({ ...headers, ...caching })
    .type('html')
    .send(render(page));
}

const sendDocument: RequestHandler = (_request, response, next) => {
  response.set({ ...corsHeaders, ...securityHeaders, ...caching });
  // Installed packages may be below a folder whose name begins with a dot (.pnpm, .cache).
  response.sendFile(fileURLToPath(documentFile), { cacheControl: false, dotfiles: 'allow' }, (error) => {
    if (error) next(error);
  });
};

function reading(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'OPTIONS') return answerPreflight(response, methods);
    if (!methods.some((method) => method === request.method)) throw wrongMethod(request, response);
    return handler(request, response, next);
  };
}

function wrongMethod({ method, path }: Request, response: Response): GatewayError {
  response.set('allow', methods.join(', '));
  return new GatewayError('method_not_allowed', `${path} does not support ${method}. Use ${methods.join(' or ')}.`);
}
