export * from './common.ts';
export * from './env-file.ts';
export { nearest } from './nearest.ts';
export * from './read.ts';
export { type ReferredSecret, referredSecret, secretPlaceSchema } from './secret-reference.ts';
export * from './setting.ts';
export * from './shapes.ts';
export * from './vendor.ts';
