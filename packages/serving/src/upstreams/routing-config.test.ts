import { defaultRouting } from '@tallyport/dispatch';
import { readConfig } from '@tallyport/service-kit';
import { expect, test } from 'vitest';
import { routingConfig, routingSettings } from './routing-config.ts';

test('the defaults of the configuration are those of dispatch', () => {
  expect(routingSettings(readConfig(routingConfig, { environment: {} }))).toEqual(defaultRouting);
});
