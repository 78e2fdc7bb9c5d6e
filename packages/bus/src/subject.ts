import { randomHex } from '@tallyport/contracts';

/** All subjects of the bus are built in this file, from contracts and instance names, and written nowhere else. */
const root = 'tp';
const inboxPrefix = `${root}.i.`;
const directPrefix = `${root}.d.`;

export const operationSubject = (service: string, operation: string): string => `${root}.s.${service}.${operation}`;

export const journalSubject = (service: string, operation: string): string => `${root}.j.${service}.${operation}`;

/** One JetStream stream holds every journal. */
export const journalStream = 'tallyport-journal';

/** The subjects of all journals. */
export const journalWildcard = `${root}.j.>`;

/** The prefix of all subjects at which processes with this user of NATS receive answers. */
export const userInboxes = (user: string): string => `${inboxPrefix}${tokenOf(user)}`;

/** A process as others address it: its user at NATS, to which permissions belong, and its own id. */
export const instanceName = (user: string, id: string): string => `${tokenOf(user)}.${id}`;

/** Users may have characters that subjects may not. */
const tokenOf = (user: string): string => user.replaceAll(/[^\w-]/g, '_');

/** The subject of messages for one instance; `token` identifies the stream within it. */
export const inboxSubject = (instance: string, token: string): string => `${inboxPrefix}${instance}.${token}`;

export const inboxWildcard = (instance: string): string => inboxSubject(instance, '*');

/** For requests to one instance, which bypass the queue group of its service. */
export const directSubject = (service: string, instance: string, operation: string): string =>
  `${directPrefix}${service}.${instance}.${operation}`;

/** All requests to single instances of a service. */
export const directWildcard = (service: string): string => `${directPrefix}${service}.>`;

/** The prefix that all operation subjects of a service share. */
export const serviceOf = (operation: string): string => operation.slice(0, operation.lastIndexOf('.'));

/** The service that the subject of an operation belongs to. */
export const serviceName = (operation: string): string => operation.split('.')[2] ?? '';

/** The direct subject that corresponds to the subject of an operation. */
export function directOf(subject: string, instance: string): string {
  const [, , service = '', operation = ''] = subject.split('.');
  return directSubject(service, instance, operation);
}

/** The instance that a direct subject belongs to. */
export const directInstance = (subject: string): string => subject.split('.').slice(3, -1).join('.');

/** Whether a subject has this instance as its only receiver. */
export function addressedTo(instance: string): (subject: string) => boolean {
  const inbox = inboxSubject(instance, '');
  const direct = `.${instance}.`;
  return (subject) => subject.startsWith(inbox) || (subject.startsWith(directPrefix) && subject.includes(direct));
}

/** The instance that an inbox subject belongs to; empty for no subject. */
export const inboxInstance = (subject: string): string => subject.slice(inboxPrefix.length, subject.lastIndexOf('.'));

/** The instance that takes part in an exchange at this subject; `undefined` for all other subjects. */
export function exchangeInstance(subject: string): string | undefined {
  if (!subject.startsWith(inboxPrefix)) return undefined;
  const end = subject.lastIndexOf('.');
  const kind = subject[end + 1];
  return kind === 'q' || kind === 's' ? subject.slice(inboxPrefix.length, end) : undefined;
}

export const inboxToken = (subject: string): string => subject.slice(subject.lastIndexOf('.') + 1);

/**
 * The first letter of a token says where a frame belongs: our requests, exchanges that we answer, or an instance's
 * liveness. Those of exchanges cannot be guessed: a service that may write to an inbox could otherwise answer for another.
 */
export const requesterToken = (): string => `q${randomHex()}`;
export const responderToken = (): string => `s${randomHex()}`;
export const livenessToken = (peer: string): string => `p${peer.replace('.', ':')}`;
/** For checks of whether a replica answers. */
export const checkToken = (count: number): string => `c${count.toString(36)}`;
export const tokenPeer = (token: string): string => token.slice(1).replace(':', '.');
