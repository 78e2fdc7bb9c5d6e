import { type FieldValues, problemAt } from '@tallyport/pages';

interface LineField<Entry> {
  name: string;
  /** `undefined` for a line that is no entry. */
  read(line: string): Entry | undefined;
  /** What a line must be. */
  rule: string;
}

/** The entries of a field with one on each line. Throws the problem of a line. */
export const lineEntries = <Entry>(fields: FieldValues, { name, read, rule }: LineField<Entry>): Entry[] =>
  (fields[name] ?? '').split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const entry = read(line.trim());
    if (entry === undefined) throw problemAt(`${name}[${at}]`, rule);
    return [entry];
  });
