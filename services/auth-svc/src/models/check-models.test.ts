import { catalogueOf, modelOf, offerOf } from '@tallyport/contracts/testing';
import { expect, test } from 'vitest';
import { checkModels } from './check-models.ts';

const catalogue = {
  ...catalogueOf(
    modelOf('swift', [offerOf('alpha')], { aliases: ['swift-latest'] }),
    modelOf('deep', [offerOf('beta')]),
  ),
  simulatedOff: ['sandbox-chat'],
};
const check = (
  model: string,
  { mayNameRoutes = true, catalogue: load = async () => catalogue as typeof catalogue } = {},
) =>
  checkModels(
    [
      { param: 'allowedModels[0]', model: 'swift' },
      { param: 'allowedModels[1]', model },
    ],
    {
      catalogue: load,
      routes: async () => ['fast'],
      mayNameRoutes,
    },
  );

test.each(['swift', 'swift-latest', 'alpha/swift', 'alpha/passed-on', 'sandbox-chat', 'fast'])(
  'a key may name %j',
  async (model) => {
    expect(await check(model)).toBe(undefined);
  },
);

test.each([
  ['swifd', "There is no model 'swifd'. Did you mean swift?"],
  ['alpa/swift', "There is no model 'alpa/swift'. Did you mean alpha/swift?"],
  ['nothing-like-it', "There is no model 'nothing-like-it'. GET /v1/models lists all."],
])('%j is refused with what may have been meant', async (model, message) => {
  await expect(check(model)).rejects.toMatchObject({
    code: 'invalid_parameters',
    status: 400,
    param: 'allowedModels[1]',
    message: `\`allowedModels[1]\`: ${message}`,
  });
});

test('a route may name no route', async () => {
  await expect(check('fast', { mayNameRoutes: false })).rejects.toThrow(
    "`allowedModels[1]`: 'fast' is a route, and a route names models.",
  );
});

test('while the catalogue is away, every name may be right', async () => {
  expect(await check('swifd', { catalogue: () => Promise.reject(new Error('away')) })).toBe(undefined);
});
