import { chooser, type Html, html } from '@tallyport/pages';

interface Column {
  /** In the address. */
  key: string;
  title: string;
  /** Shown unless the address names columns. */
  isUsual?: true;
}

/** The columns of a table that has more than fit. */
export interface ColumnChoice<Of extends Column> {
  /** All columns, in their order. */
  all: readonly Of[];
  /** Keys in the address, separated by points. */
  named: string | undefined;
}

/** The columns that are shown. Unknown keys are left out. */
export function shownOf<Of extends Column>({ all, named }: ColumnChoice<Of>): Of[] {
  const keys = named?.split('.');
  return all.filter(({ key, isUsual }) => (keys === undefined ? isUsual : keys.includes(key)));
}

interface ColumnLink {
  text: string;
  href: string;
  chosen: boolean;
}

const keysOf = (columns: readonly Column[]): string => columns.map(({ key }) => key).join('.');

/**
 * The columns to choose, each with the address that shows or hides it: `addressOf` takes the keys in it, and
 * `undefined` for the usual columns.
 */
export function columnLinks<Of extends Column>(
  choice: ColumnChoice<Of>,
  addressOf: (named: string | undefined) => string,
): ColumnLink[] {
  const shown = shownOf(choice);
  const usual = keysOf(shownOf({ ...choice, named: undefined }));
  return choice.all.map((column) => {
    const chosen = shown.includes(column);
    const named = keysOf(choice.all.filter((each) => (each === column ? !chosen : shown.includes(each))));
    return { text: column.title, chosen, href: addressOf(named === usual ? undefined : named) };
  });
}

export const columnChooser = (links: readonly ColumnLink[]): Html =>
  html`<details class="columns">
    <summary>Columns</summary>
    ${chooser('Columns', links)}
  </details>`;
