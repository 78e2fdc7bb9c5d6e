import { GatewayError, longestComparedName } from '@tallyport/contracts';
import type { VendorMap } from '@tallyport/management';
import {
  type BilledLine,
  billedClassOf,
  digitsOf,
  everyClass,
  type ReportPeriod,
} from '@tallyport/providers/cost-reports';
import type { ReportToCompare } from './compare/build-cells.ts';
import { readCsv } from './read-csv.ts';

type ColumnMap = VendorMap & Required<Pick<VendorMap, 'columns'>>;

const mostLines = 200_000;

/** Reads a bill as CSV with the columns that the map names. Rows of other days are left out. */
export function readCsvReport(text: string, { columns, ...map }: VendorMap, period: ReportPeriod): ReportToCompare {
  if (columns === undefined) throw invalid("The map needs 'columns' with at least 'day' and 'amount'.");
  const [head = [], ...rows] = readCsv(text);
  if (rows.length > mostLines) throw invalid(`The CSV has more than ${mostLines} rows. Export fewer days.`);
  const columnOf = createColumns(head);
  const wanted = [...Object.values(columns), ...Object.keys(map.only ?? {})];
  for (const column of wanted) columnOf(column);
  const lines = rows.flatMap((cells, at) => {
    const value = (column: string | undefined): string =>
      column === undefined ? '' : (cells[columnOf(column)] ?? '').trim();
    const isWanted = Object.entries(map.only ?? {}).every(([column, values]) => values.includes(value(column)));
    return isWanted ? [lineOf(value, { ...map, columns }, at + 2)] : [];
  });
  return { lines: lines.filter(({ day }) => day >= period.from && day <= period.to), uses: [] };
}

function createColumns(head: readonly string[]): (name: string) => number {
  const places = new Map(head.map((name, at) => [name.trim(), at]));
  return (name) => {
    const place = places.get(name);
    if (place === undefined) throw invalid(`The CSV has no column '${name}'. Change the map.`);
    return place;
  };
}

type ValueOf = (column: string | undefined) => string;

function lineOf(value: ValueOf, { columns, classes = {} }: ColumnMap, row: number): BilledLine {
  const day = /^\d{4}-\d\d-\d\d/.exec(value(columns.day))?.[0];
  const amount = value(columns.amount);
  if (day === undefined) throw invalid(`Row ${row} of the CSV has no day in '${columns.day}'.`);
  if (digitsOf(amount) === undefined) throw invalid(`Row ${row} of the CSV has no amount in '${columns.amount}'.`);
  if (columns.currency !== undefined && value(columns.currency).toLowerCase() !== 'usd')
    throw invalid(`Row ${row} of the CSV is not in USD.`);
  for (const column of [columns.model, columns.class, columns.key])
    if (value(column).length > longestComparedName)
      throw invalid(`Row ${row} of the CSV has more than ${longestComparedName} characters in '${column}'.`);
  const [model, keyId, quantity] = [value(columns.model), value(columns.key), quantityIn(value(columns.quantity))];
  return {
    day,
    ...(model !== '' && { model }),
    billedClass: classIn(value(columns.class), classes),
    ...(keyId !== '' && { keyId }),
    amount,
    ...(quantity !== undefined && { quantity }),
  };
}

function classIn(text: string, classes: Readonly<Record<string, string>>): string {
  if (text === '') return everyClass;
  return Object.hasOwn(classes, text) ? (classes[text] ?? '') : billedClassOf(text);
}

function quantityIn(text: string): number | undefined {
  const quantity = Number(text);
  return text !== '' && Number.isSafeInteger(quantity) && quantity >= 0 ? quantity : undefined;
}

const invalid = (message: string): GatewayError => new GatewayError('invalid_parameters', message);
