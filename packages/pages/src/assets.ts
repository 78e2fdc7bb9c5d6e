import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Asset {
  type: string;
  body: Buffer;
  /** Changes with the file, so that browsers may cache it forever. */
  version: string;
}

const types = { 'style.css': 'text/css; charset=utf-8', 'icon.svg': 'image/svg+xml' } as const;

export type AssetName = keyof typeof types;

/** The files that pages refer to, read once. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  Object.entries(types).map(([name, type]) => {
    const body = readFileSync(new URL(`./assets/${name}`, import.meta.url));
    return [name, { type, body, version: hash('sha256', body).slice(0, 12) }];
  }),
);

export const assetPath = (name: AssetName): string => `/assets/${name}?v=${assets.get(name)?.version}`;
