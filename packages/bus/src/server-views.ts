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

/** The server at which more of the services are heard than here, if there is one. */
export function richerView(views: readonly ServerView[], here: ServerView): ServerView | undefined {
  const most = Math.max(...views.map(({ heard }) => heard.size));
  return most > here.heard.size ? views.find(({ heard }) => heard.size === most) : undefined;
}
