import type { Draft } from './draft.ts';
import type { LeftOver, Path } from './left-over.ts';

/** What the user has to know and do, as text. `placeOf` names a member of the source, with its line. */
export function reportOf(draft: Draft, written: readonly string[], placeOf: (path: Path) => string): string {
  return (
    [`Written: ${written.join(', ') || 'nothing'}.`, ...variablesOf(draft), ...leftOversOf(draft, placeOf)].join('\n') +
    '\n'
  );
}

function variablesOf({ variables, providerKeys }: Draft): string[] {
  const settings = [...variables].map(([name, from]) =>
    'value' in from ? `  ${name}=${from.value}` : `  ${name}, with what ${from.variable} has now`,
  );
  const keys = [...new Set([...providerKeys.values()].map(({ key }) => `  ${key.fromEnv}`))];
  return [
    ...(settings.length > 0 ? ['', 'Set for the gateway:', ...settings] : []),
    ...(keys.length > 0 ? ['', 'Set while you apply gateway.yaml:', ...keys] : []),
  ];
}

const mostPlaces = 5;

/** Places with the same reason are one entry. */
function leftOversOf({ left: { all } }: Draft, placeOf: (path: Path) => string): string[] {
  if (all.length === 0) return ['', 'Everything was carried over.'];
  const groups = Map.groupBy(all, ({ reason, instead }) => reason + (instead && `\n  Instead: ${instead}`));
  const entries = [...groups].flatMap(([text, places]) => [`- ${text}`, ...placesOf(places, placeOf)]);
  return ['', `Not carried over, or different (${all.length}):`, '', ...entries];
}

function placesOf(places: readonly LeftOver[], placeOf: (path: Path) => string): string[] {
  const shown = places.slice(0, mostPlaces).map(({ path }) => `    ${placeOf(path)}`);
  return places.length > mostPlaces ? [...shown, `    and ${places.length - mostPlaces} more`] : shown;
}
