import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Asset {
  type: string;
  body: Buffer;
  /** Changes with the file. An address with the version may be cached forever. */
  version: string;
}

/**
 * The parts of `style.css`, in the order of the cascade: a later part overrides an earlier one. Those in `pages` are about
 * some pages only, and no other part uses their classes.
 */
const styleParts = [
  'theme',
  'page',
  'forms',
  'lists',
  'frame',
  'panels',
  'tables',
  'badges',
  'link-buttons',
  'fields',
  'copy',
  'narrow',
  'figures',
  'palette',
  'zone',
  'low',
  'charts',
  'period',
  'pages/requests',
  'pages/waterfall',
  'pages/routing',
  'pages/filters',
  'pages/uptime',
  'pages/budgets',
  'pages/overview',
  'pages/security',
  'pages/content',
  'pages/conversation',
  'pages/playground',
  'pages/reference',
  'phone',
] as const;

const types = {
  'charts.js': 'text/javascript; charset=utf-8',
  'copy.js': 'text/javascript; charset=utf-8',
  'palette.js': 'text/javascript; charset=utf-8',
  'time-zone.js': 'text/javascript; charset=utf-8',
  'live.js': 'text/javascript; charset=utf-8',
  'sliders.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'playground.js': 'text/javascript; charset=utf-8',
  'playground-answers.js': 'text/javascript; charset=utf-8',
  'playground-figures.js': 'text/javascript; charset=utf-8',
  'playground-kept.js': 'text/javascript; charset=utf-8',
  'playground-request.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
} as const;

type AssetName = keyof typeof types;

/** A module for the browser. */
export type ScriptName = Extract<AssetName, `${string}.js`>;

/** Modules that request something from this gateway. No page that shows a secret loads one. */
export const requestingScripts: ReadonlySet<ScriptName> = new Set([
  'live.js',
  'palette.js',
  'playground.js',
  'sliders.js',
]);

/** The files that pages refer to, read once. Edge serves them. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  Object.entries(types).map(([name, type]) => {
    const body = name === 'style.css' ? readStyle() : readAsset(name);
    return [name, { type, body, version: hash('sha256', body).slice(0, 12) }];
  }),
);

function readAsset(name: string): Buffer {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url));
}

function readStyle(): Buffer {
  return Buffer.concat(styleParts.map((part) => readAsset(`style/${part}.css`)));
}

export const assetPath = (name: AssetName): string => `/assets/${name}?v=${assets.get(name)?.version}`;
