import type { Replays } from './replays.ts';

/** The call `forgetAnswers` of services whose requests batches have. */
export const forgetAnswersOf =
  ({ forget }: Pick<Replays, 'forget'>) =>
  async (answers: { accountId: string; keys: string[] }) => {
    await forget(answers);
    return {};
  };
