export * from './api-key.ts';
export * from './catalog.ts';
export * from './errors.ts';
export * from './exchange.ts';
export * from './principal.ts';
export * from './service.ts';
export * from './services.ts';
