import { readFileSync } from 'node:fs';
import { pageOf } from './page.ts';
import { viewOf, type ViewParts } from './view.ts';

export interface PageResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The content security policy of the pages: their own files, and the sources in `further`. */
export const controlPageHeaders = (further: readonly string[]): Record<string, string> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...further,
  ].join('; '),
});

/** The page may also connect to the gateway, so a key entered there cannot be sent anywhere else. */
export function showPage({ gatewayUrl, ...parts }: ViewParts & { gatewayUrl: () => string | undefined }): PageResult {
  const gateway = originOf(gatewayUrl());
  return {
    status: 200,
    headers: controlPageHeaders([gateway === undefined ? "connect-src 'self'" : `connect-src 'self' ${gateway}`]),
    text: pageOf(viewOf(parts, Date.now()), gateway),
  };
}

/** The origin of the gateway's address, if it is one. */
export const originOf = (gatewayUrl: string | undefined): string | undefined =>
  gatewayUrl !== undefined && URL.canParse(gatewayUrl) ? new URL(gatewayUrl).origin : undefined;

export const showStyle = (): PageResult => fileOf(new URL('page.css', import.meta.url));

export const showScript = (): PageResult => fileOf(new URL('page.js', import.meta.url));

export const showKeyScript = (): PageResult => fileOf(new URL('key.js', import.meta.url));

export const showAskScript = (): PageResult => fileOf(new URL('ask.js', import.meta.url));

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

export function fileOf(place: URL): PageResult {
  const type = types[place.pathname.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return { status: 200, headers: { 'content-type': type }, text: readFileSync(place, 'utf8') };
}

/** Redirects a submitted form back to the page. */
export const backToPage: PageResult = { status: 303, headers: { location: '/control' }, text: '' };
