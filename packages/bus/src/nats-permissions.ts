import {
  compositions,
  formerUses,
  namesOf,
  type OperationNames,
  type ProcessName,
  type Use,
  uses,
} from '@tallyport/contracts';
import {
  directSubject,
  directWildcard,
  instanceName,
  journalStream,
  journalSubject,
  operationSubject,
  userInboxes,
} from './subject.ts';
import { isRequestKind, operationKind, contractOperation } from './used-operations.ts';

/** Subjects at NATS, in its notation: `*` is one token, `>` the rest. */
interface Permissions {
  publish: readonly string[];
  subscribe: readonly string[];
}

/** The processes with one service each, which are the names of their users at NATS. */
export const processNames = namesOf(uses);

/** Processes that run several services as one user of NATS. */
export const compositionNames = namesOf(compositions);

export type NatsUser = ProcessName | keyof typeof compositions;

const isComposition = (user: NatsUser): user is keyof typeof compositions => Object.hasOwn(compositions, user);

/** The processes whose services run as this user. */
const processesOf = (user: NatsUser): readonly ProcessName[] => (isComposition(user) ? compositions[user] : [user]);

/**
 * What a user may send and hear at NATS, which follows from the use of the contracts by its processes. `others` are all
 * users of the server.
 */
export function permissionsOf(user: NatsUser, others: readonly NatsUser[] = processNames): Permissions {
  const own = processesOf(user).map((process): Use => uses[process]);
  const former = processesOf(user).flatMap((process) => formerUses[process] ?? []);
  const sent = [...own, ...former].flatMap(({ sends }) => operationsIn(sends));
  const heard = [...own, ...former].flatMap(({ hears }) => operationsIn(hears));
  const served = own.flatMap(({ serves }) => serves ?? []);
  const peers = others.filter((peer) => peer === user || exchange(user, peer));
  return {
    publish: unique([
      ...sent.flatMap((operation) => subjectsToSend(operation, others)),
      // A replica hands requests on to others, and commands run with the user of the service that they ask.
      ...served.map((service) => operationSubject(service, '*')),
      ...peers.map((peer) => `${userInboxes(peer)}.>`),
      ...journalApi(sent, heard),
    ]),
    subscribe: unique([
      `${userInboxes(user)}.>`,
      ...served.flatMap((service) => [operationSubject(service, '*'), directWildcard(service), ...discovery(service)]),
      ...heard.filter(({ kind }) => kind === 'notice').map(({ service, name }) => operationSubject(service, name)),
    ]),
  };
}

const unique = (subjects: readonly string[]): readonly string[] => [...new Set(subjects)];

interface NamedOperation {
  service: string;
  name: string;
  kind: string;
}

const operationsIn = (names: OperationNames): NamedOperation[] =>
  Object.entries(names).flatMap(([service, operations]: [string, readonly string[]]) =>
    operations.map((name) => ({ service, name, kind: operationKind(service, name) })),
  );

/** Whether one user sends calls or exchanges that the other answers. */
const exchange = (one: NatsUser, other: NatsUser): boolean => asks(one, other) || asks(other, one);

const asks = (user: NatsUser, of: NatsUser): boolean =>
  processesOf(user)
    .flatMap((process) => operationsIn(uses[process].sends))
    .some(({ service, kind }) => isRequestKind(kind) && serves(of, service));

const serves = (user: NatsUser, service: string): boolean =>
  processesOf(user).some((process) => {
    const use: Use = uses[process];
    return use.serves === service;
  });

function subjectsToSend({ service, name, kind }: NamedOperation, others: readonly NatsUser[]): string[] {
  const operation = contractOperation(service, name);
  if (operation?.kind === 'journal') return [journalSubject(operation.keptFor ?? service, name)];
  const subject = operationSubject(service, name);
  if (kind === 'notice') return [subject];
  const servers = others.filter((user) => serves(user, service));
  return [subject, ...servers.map((server) => directSubject(service, instanceName(server, '*'), name))];
}

/** NATS' tools find services by these subjects. */
const discovery = (service: string): string[] => ['$SRV.*', `$SRV.*.${service}`, `$SRV.*.${service}.*`];

/** Only the reader of a journal may create and change its stream, which could copy subjects of others. */
function journalApi(sent: readonly NamedOperation[], heard: readonly NamedOperation[]): string[] {
  if (heard.some(({ kind }) => kind === 'journal')) return readerApi;
  return sent.some(({ kind }) => kind === 'journal') ? appenderApi : [];
}

const appenderApi = ['$JS.API.INFO', `$JS.API.STREAM.INFO.${journalStream}`];

const readerApi = [
  ...appenderApi,
  ...['CREATE', 'UPDATE', 'MSG.GET'].map((call) => `$JS.API.STREAM.${call}.${journalStream}`),
  ...['CREATE', 'DURABLE.CREATE', 'INFO', 'DELETE', 'MSG.NEXT'].map(
    (call) => `$JS.API.CONSUMER.${call}.${journalStream}.>`,
  ),
  `$JS.ACK.${journalStream}.>`,
];
