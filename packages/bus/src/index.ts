export type * from './link.ts';
