import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type McpConnection, generations, type Place } from './clients.ts';

const revisions: Record<keyof typeof generations, string> = {
  'SDK 1.x': '2025-11-25',
  'client 2.x': '2025-11-25',
  'client 2.x, negotiated revision': '2026-07-28',
  'client 2.x, current revision only': '2026-07-28',
};

const messages = [{ role: 'user', content: 'Hi' }];

/** Tests all MCP clients, with any number of replicas. */
export function toolsSuite(place: () => Place): void {
  describe.each(Object.entries(generations))('%s', (name, connect) => {
    let client: McpConnection;
    beforeAll(async () => {
      client = await connect(place());
    });
    afterAll(() => client?.close());

    test('uses its newest revision', () => {
      expect(client.revision).toBe(revisions[name as keyof typeof generations]);
    });

    test('lists the same five tools every time', async () => {
      const tools = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual([
        'chat',
        'generate-image',
        'generate-preview-image',
        'list-models',
        'list-image-models',
      ]);
      for (let round = 0; round < 6; round++) expect(await client.listTools()).toEqual(tools);
    });

    test('chats and receives progress', async () => {
      const progressReports: number[] = [];
      const onprogress = ({ progress }: { progress: number }) => void progressReports.push(progress);
      const input = { model: 'sandbox-chat', messages, temperature: 0, max_tokens: 500 };
      const { content, structuredContent } = await client.callTool('chat', input, { onprogress });
      expect(structuredContent).toEqual({
        model: expect.stringMatching(/^sandbox-[abc]\/sandbox-chat$/),
        content: expect.stringContaining('simulated answer'),
        finish_reason: 'stop',
        usage: {
          prompt_tokens: expect.any(Number),
          completion_tokens: expect.any(Number),
          total_tokens: expect.any(Number),
        },
      });
      expect(content).toEqual([{ type: 'text', text: structuredContent?.content }]);
      expect(progressReports).toEqual([1]);
    });

    test('makes images', async () => {
      const { content } = await client.callTool('generate-image', { prompt: 'a lake', model: 'sandbox-image', n: 2 });
      expect(content.map(({ type, mimeType }) => [type, mimeType])).toEqual([
        ['image', 'image/png'],
        ['image', 'image/png'],
        ['text', undefined],
      ]);
      expect(
        Buffer.from(content[0]?.data ?? '', 'base64')
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
      expect(content[2]?.text).toMatch(/^2 images by sandbox-[abc]\/sandbox-image, 1024x1024\.$/);
    });

    test('lists models, and image models as Markdown', async () => {
      const { structuredContent } = await client.callTool('list-models', { limit: 3 });
      expect(structuredContent).toEqual({ models: expect.any(Array), total: expect.any(Number) });
      expect(structuredContent?.models).toHaveLength(3);
      const { content } = await client.callTool('list-image-models', {});
      expect(content[0]?.text).toMatch(
        /^# .+\n\n## .+\n- \*\*Model ID:\*\* `.+`\n- \*\*Description:\*\* .+\n- \*\*Price/,
      );
      expect(content[0]?.text).toContain('`sandbox-image`');
    });

    test('gets an invalid call as an error result', async () => {
      const result = await client.callTool('chat', { model: 'no-such-model', messages });
      expect(result.isError).toBe(true);
      expect(result.content[0]?.text).toContain('no-such-model');
    });

    test('gets an error for an unknown tool', async () => {
      await expect(client.callTool('no-such-tool', {})).rejects.toMatchObject({ code: -32_602 });
    });
  });
}
