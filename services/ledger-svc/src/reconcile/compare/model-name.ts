/**
 * A form in which names of the same model are equal: `anthropic/claude-sonnet-4.5` and `claude-sonnet-4-5-20250929` are
 * `claude-sonnet-4-5`.
 */
export function plainModel(name: string): string {
  const last = name.toLowerCase().split('/').at(-1) ?? '';
  return last
    .replace(/[@:].*$/, '')
    .replaceAll('.', '-')
    .replace(/-(?:20\d\d-\d\d-\d\d|20\d{6}|latest)$/, '');
}
