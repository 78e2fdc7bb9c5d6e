import { knownRoutesSchema, type Route } from '@tallyport/contracts';
import type { Row } from '@tallyport/database';
import type { RouteRecord } from '@tallyport/management';

export const routeColumns = [
  'name',
  'definition',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Row<'routes'>)[];

type RouteRow = Pick<Row<'routes'>, (typeof routeColumns)[number]>;

export const routeRecord = (row: RouteRow): RouteRecord => ({
  name: row.name,
  ...routeOf(row),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** Members that another version stored are left out. */
export const routeOf = ({ definition }: Pick<RouteRow, 'definition'>): Route =>
  knownRoutesSchema.valueType.parse(definition);
