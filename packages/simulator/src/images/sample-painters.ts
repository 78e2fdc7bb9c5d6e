/** For tests: vendors that answer with addresses, with a job, with JPEG, and one that fetches no input image. */
export const samplePainters = [
  { providerId: 'alibaba', stem: 'DASHSCOPE', modelNames: ['qwen-image-plus', 'qwen-image-2.0', 'wan2.2-t2i-flash'] },
  { providerId: 'bytedance', stem: 'ARK', modelNames: ['seedream-4-0-250828'] },
  { providerId: 'google', stem: 'GEMINI', modelNames: ['gemini-2.5-flash-image'], path: '/v1beta' },
];
