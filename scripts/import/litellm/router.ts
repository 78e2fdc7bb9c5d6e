import type { Draft } from '../draft.ts';
import { type Members, openMembers } from '../members.ts';
import { type Fallbacks, groupIn, readFallbacks } from './fallbacks.ts';
import { routerReasons, settingReasons } from './reasons.ts';

/** What decides which model answers. */
export interface Router {
  strategy: string;
  /** Other names of groups. */
  aliases: ReadonlyMap<string, string>;
  general: Fallbacks;
  /** When the prompt is too long. */
  context: Fallbacks;
  /** When a content filter refuses the request. */
  content: Fallbacks;
}

/** Most of these settings may be in either section; those of the router win. */
export function readRouter(router: Members, settings: Members, draft: Draft): Router {
  const strategy = router.text('routing_strategy');
  const read = (name: string): Fallbacks =>
    new Map([...readFallbacks(settings, name, draft), ...readFallbacks(router, name, draft)]);
  const [general, context, content] = ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks'].map(read);
  const defaults = [router, settings].flatMap((section) =>
    section.list('default_fallbacks').flatMap((each, at) => {
      const path = [...section.path, 'default_fallbacks', at];
      return { path, group: groupIn(each, path, draft.left) };
    }),
  );
  const groups = defaults.flatMap(({ group }) => group ?? []);
  const [first] = defaults;
  const aliases = readAliases(router, draft);
  if (strategy !== undefined && strategy !== 'simple-shuffle') {
    draft.left.add([...router.path, 'routing_strategy'], byScore, 'Set ROUTING_*_WEIGHT (docs/routing.md).');
  }
  router.leaveRest(routerReasons);
  settings.leaveRest(settingReasons);
  return {
    strategy: strategy ?? 'simple-shuffle',
    aliases,
    general: new Map([...(first === undefined ? [] : [['*', { groups, path: first.path }] as const]), ...general!]),
    context: context!,
    content: content!,
  };
}

const byScore = 'Providers of one model are chosen by the score of uptime, throughput, price and latency.';

function readAliases(router: Members, draft: Draft): Map<string, string> {
  const members = router.object('model_group_alias') ?? openMembers(null, [], draft.left);
  return new Map(
    members.names().flatMap((alias) => {
      const value = members.value(alias);
      if (typeof value === 'string') return [[alias, value] as const];
      const entry = openMembers(value, [...members.path, alias], draft.left);
      const group = entry.text('model');
      if (entry.flag('hidden') === true) {
        draft.left.add([...entry.path, 'hidden'], 'Every route is in the list of models.', '');
      }
      entry.leaveRest();
      return group === undefined ? [] : [[alias, group] as const];
    }),
  );
}
