import { fileURLToPath } from 'node:url';
import { GatewayError } from '@switchyard/contracts';
import type { Request, RequestHandler, Response } from 'express';
import { answerPreflight, corsHeaders } from '../http/cors.ts';
import { securityHeaders } from '../http/security-headers.ts';

const own = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const viewer = (name: string): string => fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));

const methods = ['GET', 'HEAD'] as const;
/** Swagger UI sets inline styles and uses data URLs for icons. It contacts no other host. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageFiles: Readonly<Record<string, () => string>> = {
  '/docs': () => own('page/index.html'),
  '/docs/page.css': () => own('page/page.css'),
  '/docs/page.js': () => own('page/page.js'),
  ...Object.fromEntries(
    ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'].map((name) => [
      `/docs/${name}`,
      () => viewer(name),
    ]),
  ),
};

export interface ReferencePath {
  path: string;
  handler: RequestHandler;
}

/** The OpenAPI document and the page that shows it. Both are public; any page may read the document. */
export const referencePaths = (): readonly ReferencePath[] => [
  { path: '/openapi.json', handler: answerWith(() => own('openapi.json'), { ...corsHeaders, ...securityHeaders }) },
  ...Object.entries(pageFiles).map(([path, file]) => ({
    path,
    handler: answerWith(file, { ...securityHeaders, 'content-security-policy': pagePolicy }),
  })),
];

function answerWith(file: () => string, headers: Readonly<Record<string, string>>): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'OPTIONS') return answerPreflight(response, methods);
    if (!methods.some((method) => method === request.method)) throw wrongMethod(request, response);
    response.set({ ...headers, 'cache-control': 'public, max-age=300' });
    // Installed packages may be below a folder whose name begins with a dot (.pnpm, .cache).
    response.sendFile(file(), { cacheControl: false, dotfiles: 'allow' }, (error) => {
      if (error) next(error);
    });
  };
}

function wrongMethod({ method, path }: Request, response: Response): GatewayError {
  response.set('allow', methods.join(', '));
  return new GatewayError('method_not_allowed', `${path} does not support ${method}. Use ${methods.join(' or ')}.`);
}
