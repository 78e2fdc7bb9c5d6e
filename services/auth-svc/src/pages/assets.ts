import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface Asset {
  type: string;
  body: Buffer;
  /** Changes when the file does, so that browsers may keep it for ever. */
  version: string;
}

const types = { 'style.css': 'text/css; charset=utf-8', 'icon.svg': 'image/svg+xml' } as const;

export type AssetName = keyof typeof types;

/** The few files that pages refer to, read once. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  Object.entries(types).map(([name, type]) => {
    const body = readFileSync(new URL(`./assets/${name}`, import.meta.url));
    return [name, { type, body, version: hash('sha256', body).slice(0, 12) }];
  }),
);

export const assetPath = (name: AssetName): string => `/assets/${name}?v=${assets.get(name)?.version}`;
