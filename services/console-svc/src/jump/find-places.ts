import { hasAccess } from '@tallyport/management';
import { sections, sectionsFor } from '../screen/sections.ts';
import { type JumpPlace, type NamedThing, type Verb, verbs } from './jump-place.ts';
import { knownPlaces } from './known-places.ts';
import { findThings, hasWords, type JumpRequest, mostOfKind } from './named-things.ts';

/**
 * Screens, actions and things of the account that a text names, as far as the person has access to them. A text such as
 * "revoke search" leads to the actions of what the rest of it names. Without a text, all screens and actions.
 */
export async function findPlaces(request: JumpRequest, text: string): Promise<JumpPlace[]> {
  const [first = '', ...rest] = text.split(/\s+/);
  const verb = verbs.find((each) => each === first.toLowerCase());
  const [things, objects] = await Promise.all([
    text === '' || verb === text.toLowerCase() ? [] : findThings(request, text),
    verb === undefined ? [] : findThings(request, rest.join(' ')),
  ]);
  return [
    ...placesOf(request).filter(({ text: title, words = '' }) => hasWords([title, words], text)),
    ...(verb === undefined ? [] : objects.flatMap((thing) => actionOf(thing, verb)).slice(0, mostOfKind)),
    ...things,
  ].map(({ kind, text: title, detail, href }) => ({
    kind,
    text: title,
    ...(detail !== undefined && { detail }),
    href,
  }));
}

function placesOf({ base, caller }: JumpRequest): (JumpPlace & { words?: string })[] {
  return [
    ...sectionsFor(caller).map((name) => ({
      kind: 'Screen' as const,
      text: sections[name].title,
      href: `${base}/${name}`,
    })),
    ...knownPlaces
      .filter(({ access }) => hasAccess(caller, access))
      .map(({ path, access: _access, ...place }) => ({ ...place, href: base + path })),
  ];
}

function actionOf({ text, kind, detail, actions = {} }: NamedThing, verb: Verb): JumpPlace[] {
  const href = actions[verb];
  if (href === undefined) return [];
  const title = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${text}`;
  return [{ kind: 'Action', text: title, detail: detail ?? kind.toLowerCase(), href }];
}
