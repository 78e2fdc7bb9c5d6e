/** Tokens of images as OpenAI counts them: the details are parts of their sum and do not overlap. */
export interface ImagesUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_tokens_details?: { text_tokens: number; image_tokens: number };
  output_tokens_details?: { text_tokens: number; image_tokens: number };
  /** Ours: what the images cost, in USD, where the vendor says so itself. */
  cost?: number;
}
