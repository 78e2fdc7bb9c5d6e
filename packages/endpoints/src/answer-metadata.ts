import type { AnswerMetadata } from '@tallyport/wire';
import { z } from 'zod';

export const metadataSchema = z
  .object({
    request_id: z.string(),
    requested_model: z.string(),
    requested_provider: z.string().nullable(),
    used_model: z.string(),
    used_provider: z.string(),
    unlisted: z.literal(true).optional().describe('The model is not in the catalogue, so its price is unknown.'),
    cached: z.boolean(),
    routing: z
      .array(
        z.object({
          provider: z.string(),
          model: z.string(),
          status_code: z.int().nullable().describe('null if the provider did not answer.'),
          error_type: z.string().describe('The kind of error, or `none`.'),
          succeeded: z.boolean(),
          duration_ms: z.number(),
          own_key: z.boolean().optional().describe("The attempt used the account's own provider key."),
          trial: z.boolean().optional().describe('The attempt was a trial of an offer that failed before.'),
        }),
      )
      .describe('All attempts, in order.'),
    not_tried: z
      .array(
        z.object({
          provider: z.string().optional().describe('Absent if it is true of the whole model.'),
          model: z.string(),
          reason: z
            .string()
            .describe('Why it had its place, or was left out, in the words of `POST /v1/routes/explain`.'),
          detail: z.string().optional(),
        }),
      )
      .readonly()
      .optional()
      .describe('The offers that were not tried, in the order in which they would have been; then those left out.'),
    not_tried_more: z.int().optional().describe('How many more there were.'),
    failover: z.string().optional().describe('Only after a failover: `answered by openai after azure failed`.'),
    images: z
      .array(
        z.object({
          requested_size: z.string(),
          size: z.string().optional().describe('Actual size of the image in this answer.'),
          made_size: z.string().optional().describe('Size made by the provider, if the image was cropped or scaled.'),
          cropped_size: z.string().optional().describe('The middle of it that was kept, if it had another ratio.'),
          scale: z.number().optional().describe('The factor by which this was scaled, if it was.'),
        }),
      )
      .optional()
      .describe('One entry per image, if the provider made a size other than the requested one.'),
  })
  .describe('How the request was routed.') satisfies z.ZodType<AnswerMetadata>;
