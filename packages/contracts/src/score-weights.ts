import { z } from 'zod';

const weight = z.number().min(0).max(1_000);

/** How much each factor counts when offers are compared. Only the ratios matter. */
export const scoreWeightsSchema = z
  .strictObject({ uptime: weight, throughput: weight, price: weight, latency: weight })
  .refine(
    (weights) => Object.values(weights).some((each) => each > 0),
    'must have a weight above 0; null restores those of the operator',
  );

export type ScoreWeights = z.infer<typeof scoreWeightsSchema>;

/** Weights sent by another version: unknown members are dropped, because a request must not fail over them. */
export const knownScoreWeightsSchema = z.object(scoreWeightsSchema.shape);
