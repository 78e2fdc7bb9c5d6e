import type { NeededService } from './needed-services.ts';

/** A NATS server as one process sees it. */
export interface ServerView {
  /** The server's own id, the same for all processes. */
  serverId: string;
  /** The other servers with which it exchanges messages in both directions. */
  linked: ReadonlySet<string>;
  /** The needed services of which a replica answers there. */
  heard: ReadonlySet<NeededService>;
}

/**
 * The servers that all processes choose when the cluster is cut, each for itself and without a word to the others: those
 * with the most links; of equal parts, the part with the lowest id.
 */
export function bestServers(views: readonly ServerView[]): ReadonlySet<string> {
  const most = Math.max(...views.map(({ linked }) => linked.size));
  const top = views.filter(({ linked }) => linked.size === most);
  const ids = top.map(({ serverId }) => serverId).toSorted();
  const first = top.find(({ serverId }) => serverId === ids[0]);
  return new Set(ids.filter((id) => id === ids[0] || first?.linked.has(id)));
}

/**
 * The server at which more of the services are heard than here, if there is one. Those without which an installation may run
 * do not count: they miss others and come by themselves, and a process that went to meet them would pass them on the way.
 */
export function richerView(views: readonly ServerView[], here: ServerView): ServerView | undefined {
  const most = Math.max(...views.map(countOf));
  return most > countOf(here) ? views.find((view) => countOf(view) === most) : undefined;
}

const countOf = ({ heard }: ServerView): number => [...heard].filter(({ isOptional }) => !isOptional).length;
