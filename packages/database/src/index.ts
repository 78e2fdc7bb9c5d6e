export { type RawBuilder, sql } from 'kysely';
export type * from './database.ts';
export { DirectoryUnusableError } from './embedded/create-directory.ts';
export { directoryHolder, DirectoryInUseError } from './embedded/directory-lock.ts';
export * from './open-database.ts';
export type * from './schema.ts';
export type { ProviderKeyMode } from './schema/people.ts';
export type { PostgresOptions } from './postgres.ts';
export { isUnavailable } from './unavailable.ts';
