/** To test with: models of vendors that tell where an image is, of one that makes it in a job, of one that makes JPEG, and of one that fetches nothing. */
export const samplePainters = [
  { providerId: 'alibaba', stem: 'DASHSCOPE', modelNames: ['qwen-image-plus', 'qwen-image-2.0', 'wan2.2-t2i-flash'] },
  { providerId: 'bytedance', stem: 'ARK', modelNames: ['seedream-4-0-250828'] },
  { providerId: 'google', stem: 'GEMINI', modelNames: ['gemini-2.5-flash-image'], path: '/v1beta' },
];
