import type { ColumnType } from 'kysely';

export type CreatedAt = ColumnType<Date, Date | undefined, never>;

/**
 * Arrays are stored as jsonb: read as values, and written as JSON text, the only form that both drivers pass on
 * unchanged.
 */
export type JsonList = ColumnType<string[] | null, string | null | undefined, string | null>;

/** Stored JSON. The reader validates it. */
export type Json = ColumnType<unknown, string | null | undefined, string | null>;
