import { permissionsOf, processNames } from '@tallyport/bus';
import type { ProcessName } from '@tallyport/contracts';

/** The variable of the server's configuration with the password of a service. */
export const passwordVariable = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_PASSWORD`;

const origin = '# Generated from packages/contracts/src/uses.ts by `npm run docs`.\n';

/** users.conf: a user of NATS for each service, which may do what the contracts say. */
export const usersFile = (): string => `${origin}authorization {
  users: [
${processNames.map(userText).join('')}  ]
}
`;

/** The same for the NATS servers in Kubernetes, which have the passwords in their environment. */
export const usersConfigMap = (): string => `${origin}apiVersion: v1
kind: ConfigMap
metadata: { name: nats-users }
data:
  users.conf: |
${usersFile().replace(origin, '').replaceAll(/^/gm, '    ').trimEnd()}
`;

function userText(service: ProcessName): string {
  const { publish, subscribe } = permissionsOf(service);
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
