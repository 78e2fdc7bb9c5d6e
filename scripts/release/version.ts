import { upgradeNotes } from './changelog.ts';

/** The version that follows: a minor one if the changes ask for attention or add something, otherwise a patch. */
export function nextVersion(current: string, section: string): string {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number);
  const isMinor = upgradeNotes(section) !== '' || /^### (Added|New settings)$/m.test(section);
  return isMinor ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** Where a file of each kind has the version of the project. */
const places: Readonly<Record<string, RegExp>> = {
  'package.json': /(?<=^ {2}"version": ")[^"]+/m,
  'Chart.yaml': /(?<=^(?:version|appVersion): )\S+/gm,
  Dockerfile: /(?<=^ARG VERSION=)\S+/m,
};

/** All versions that a file names. */
export const versionsIn = (path: string, text: string): readonly string[] =>
  [...text.matchAll(new RegExp(placeIn(path), 'gm'))].map(([version]) => version);

export const withVersion = (path: string, text: string, version: string): string =>
  text.replace(placeIn(path), version);

function placeIn(path: string): RegExp {
  const place = places[path.split('/').at(-1) ?? ''];
  if (place === undefined) throw new Error(`${path} has no version.`);
  return place;
}
