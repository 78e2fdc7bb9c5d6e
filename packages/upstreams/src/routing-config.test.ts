import { defaultRouting } from '@switchyard/dispatch';
import { readConfig } from '@switchyard/service-kit';
import { expect, test } from 'vitest';
import { routingConfig, routingSettings } from './routing-config.ts';

test("the configuration's defaults are dispatch's", () => {
  expect(routingSettings(readConfig(routingConfig, { environment: {} }))).toEqual(defaultRouting);
});
