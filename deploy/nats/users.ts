import { compositionNames, type NatsUser, permissionsOf, processNames } from '@tallyport/bus';

/** The variable of the server's configuration with the password of a service. */
export const passwordVariable = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_PASSWORD`;

const origin = '# Generated from packages/contracts/src/uses.ts by `npm run docs`.\n';

/** Where processes run several services, the services have users as well: both forms run while one replaces the other. */
export const allUsers: readonly NatsUser[] = [...processNames, ...compositionNames];

/** users.conf: a user of NATS for each service, which may do what the contracts say. */
export const usersFile = (users: readonly NatsUser[] = processNames): string => `${origin}authorization {
  users: [
${users.map((user) => userText(user, users)).join('')}  ]
}
`;

/** The same for the NATS servers in Kubernetes, which have the passwords in their environment. */
export const usersConfigMap = (users?: readonly NatsUser[]): string => `${origin}apiVersion: v1
kind: ConfigMap
metadata: { name: nats-users }
data:
  users.conf: |
${usersFile(users).replace(origin, '').replaceAll(/^/gm, '    ').trimEnd()}
`;

function userText(service: NatsUser, users: readonly NatsUser[]): string {
  const { publish, subscribe } = permissionsOf(service, users);
  return `    {
      user: ${service}
      password: $${passwordVariable(service)}
      permissions: {
        publish: [
${lines(publish)}        ]
        subscribe: [
${lines(subscribe)}        ]
      }
    }
`;
}

const lines = (subjects: readonly string[]): string =>
  subjects
    .toSorted()
    .map((subject) => `          "${subject}"\n`)
    .join('');
