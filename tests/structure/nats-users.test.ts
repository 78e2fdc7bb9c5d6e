import { expect, test } from 'vitest';
import { allUsers, usersConfigMap, usersFile } from '../../deploy/nats/users.ts';

// Fails after a contract or its uses were changed: `npm run docs` writes the file anew.
test('deploy/nats/users.conf gives each service what it uses of the contracts', async () => {
  await expect(usersFile()).toMatchFileSnapshot('../../deploy/nats/users.conf');
  await expect(usersConfigMap(allUsers)).toMatchFileSnapshot('../../deploy/k8s/overlays/compact/nats-users.yaml');
  await expect(usersConfigMap()).toMatchFileSnapshot('../../deploy/k8s/overlays/production/nats-users.yaml');
});
