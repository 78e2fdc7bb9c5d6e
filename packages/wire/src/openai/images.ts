/** Image tokens as OpenAI counts them: the details are disjoint parts of the sum. */
export interface ImagesUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_tokens_details?: { text_tokens: number; image_tokens: number };
  output_tokens_details?: { text_tokens: number; image_tokens: number };
  /** Ours: the cost of the images in USD, if the vendor reports it. */
  cost?: number;
}
