import { readFileSync } from 'node:fs';
import { pageOf } from './page.ts';
import { viewOf, type ViewParts } from './view.ts';

export interface PageResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const file = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

const html = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

export const showPage = (parts: ViewParts): PageResult => ({
  status: 200,
  headers: html,
  text: pageOf(viewOf(parts, Date.now())),
});

export const showStyle = (): PageResult => asset('text/css; charset=utf-8', file('page.css'));

export const showScript = (): PageResult => asset('text/javascript; charset=utf-8', file('page.js'));

const asset = (type: string, text: string): PageResult => ({ status: 200, headers: { 'content-type': type }, text });

/** A form that was sent: back to the page. */
export const seeOther: PageResult = { status: 303, headers: { location: '/control' }, text: '' };
