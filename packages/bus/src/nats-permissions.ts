import { formerUses, namesOf, type OperationNames, type ProcessName, type Use, uses } from '@tallyport/contracts';
import {
  directSubject,
  directWildcard,
  instanceName,
  journalStream,
  journalSubject,
  operationSubject,
  userInboxes,
} from './subject.ts';
import { isRequestKind, operationKind, contractOperation, processServing } from './used-operations.ts';

/** Subjects at NATS, in its notation: `*` is one token, `>` the rest. */
interface Permissions {
  publish: readonly string[];
  subscribe: readonly string[];
}

/** All processes, which are the names of their users at NATS. */
export const processNames = namesOf(uses);

/** What a process may send and hear at NATS, which follows from its use of the contracts. */
export function permissionsOf(process: ProcessName): Permissions {
  const use: Use = uses[process];
  const former = formerUses[process];
  const sent = [...operationsIn(use.sends), ...operationsIn(former?.sends ?? {})];
  const heard = [...operationsIn(use.hears), ...operationsIn(former?.hears ?? {})];
  const peers = processNames.filter((peer) => peer === process || asks(use, uses[peer]) || asks(uses[peer], use));
  return {
    publish: [
      ...sent.flatMap(subjectsToSend),
      // A replica hands requests on to others, and commands run with the user of the service that they ask.
      ...served(use, (service) => [operationSubject(service, '*')]),
      ...peers.map((peer) => `${userInboxes(peer)}.>`),
      ...journalApi(sent, heard),
    ],
    subscribe: [
      `${userInboxes(process)}.>`,
      ...served(use, (service) => [operationSubject(service, '*'), directWildcard(service), ...discovery(service)]),
      ...heard.filter(({ kind }) => kind === 'notice').map(({ service, name }) => operationSubject(service, name)),
    ],
  };
}

interface NamedOperation {
  service: string;
  name: string;
  kind: string;
}

const operationsIn = (names: OperationNames): NamedOperation[] =>
  Object.entries(names).flatMap(([service, operations]: [string, readonly string[]]) =>
    operations.map((name) => ({ service, name, kind: operationKind(service, name) })),
  );

const served = (use: Use, subjects: (service: string) => readonly string[]): readonly string[] =>
  use.serves === undefined ? [] : subjects(use.serves);

/** Whether one process sends calls or exchanges that the other answers. */
const asks = (use: Use, of: Use): boolean =>
  operationsIn(use.sends).some(({ service, kind }) => service === of.serves && isRequestKind(kind));

function subjectsToSend({ service, name, kind }: NamedOperation): string[] {
  const operation = contractOperation(service, name);
  if (operation?.kind === 'journal') return [journalSubject(operation.keptFor ?? service, name)];
  const subject = operationSubject(service, name);
  const server = processServing(service);
  if (kind === 'notice' || server === undefined) return [subject];
  return [subject, directSubject(service, instanceName(server, '*'), name)];
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
