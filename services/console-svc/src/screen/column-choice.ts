import { chooser, type Html, html } from '@tallyport/pages';

/** The columns of a table that has more than fit. */
export interface ColumnChoice {
  /** The names of all columns, in their order. */
  all: readonly string[];
  /** The names of those that are shown unless the address names others. */
  usual: readonly string[];
  /** Names in the address, separated by points. */
  named: string | undefined;
}

/** The names of the columns that are shown. Unknown names are left out. */
export function shownNames({ all, usual, named }: ColumnChoice): string[] {
  const names = named?.split('.') ?? usual;
  return all.filter((name) => names.includes(name));
}

interface ColumnLink {
  text: string;
  href: string;
  chosen: boolean;
}

interface ColumnLinks {
  titleOf(name: string): string;
  /** The address with these names in it; `undefined` for the usual ones. */
  addressOf(named: string | undefined): string;
}

/** The columns to choose, each with the address that shows or hides it. */
export function columnLinks(choice: ColumnChoice, { titleOf, addressOf }: ColumnLinks): ColumnLink[] {
  const shown = shownNames(choice);
  const usual = shownNames({ ...choice, named: undefined });
  return choice.all.map((name) => {
    const chosen = shown.includes(name);
    const names = choice.all.filter((each) => (each === name ? !chosen : shown.includes(each)));
    const isUsual = names.join() === usual.join();
    return { text: titleOf(name), chosen, href: addressOf(isUsual ? undefined : names.join('.')) };
  });
}

export const columnChooser = (links: readonly ColumnLink[]): Html =>
  html`<details class="columns">
    <summary>Columns</summary>
    ${chooser('Columns', links)}
  </details>`;
